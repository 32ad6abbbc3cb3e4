// What happens, told to whoever listens. A listener is dropped by calling what `on` gave.

export class Topic<T = void> {
  private readonly listeners = new Set<(value: T) => void>();

  on(listener: (value: T) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  tell(value: T): void {
    for (const listener of [...this.listeners]) listener(value);
  }
}
