// Publishes values to listeners. The function that `on` returns removes the listener.

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
