// The server's health: when it is asked, and what is told.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Client } from "../src/api/client";
import type { HealthReason } from "../src/api/wire";
import { AGAIN_MS, GAP_MS, Health } from "../src/game/health";
import { settled } from "./fake";

const full: HealthReason = { code: "disk-full", message: "the disk is full" };
const long: HealthReason = { code: "queue-long", message: "searches wait" };

/** A client that is asked for nothing but health. */
class Server extends Client {
  asked = 0;
  reasons: HealthReason[] | null = [];

  override async health(): ReturnType<Client["health"]> {
    this.asked += 1;
    await Promise.resolve();
    if (this.reasons === null) throw new TypeError("network");
    return { status: this.reasons.length === 0 ? "ok" : "degraded", reasons: this.reasons };
  }
}

/** A server's health, and how often a change was told. */
function watched(reasons: HealthReason[] | null = []): { server: Server; health: Health; told: () => number } {
  const server = new Server();
  server.reasons = reasons;
  const health = new Health(server);
  let count = 0;
  health.changed.on(() => (count += 1));
  return { server, health, told: () => count };
}

describe("health", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("is asked once while all is well", async () => {
    const { server, health, told } = watched();
    await health.ask();
    await vi.advanceTimersByTimeAsync(100 * AGAIN_MS);
    expect([server.asked, told(), health.reasons]).toEqual([1, 0, []]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("is asked now and then while the server is degraded, until it has recovered", async () => {
    const { server, health, told } = watched([full]);
    await health.ask();
    expect(health.reasons).toEqual([full]);
    await vi.advanceTimersByTimeAsync(AGAIN_MS);
    expect([server.asked, told()]).toEqual([2, 1]);
    server.reasons = [full, long];
    await vi.advanceTimersByTimeAsync(AGAIN_MS);
    expect([server.asked, told()]).toEqual([3, 2]);
    server.reasons = [];
    await vi.advanceTimersByTimeAsync(AGAIN_MS);
    expect([server.asked, told(), health.reasons]).toEqual([4, 3, []]);
    await vi.advanceTimersByTimeAsync(100 * AGAIN_MS);
    expect(server.asked).toBe(4);
  });

  it("is asked after requests that failed, however many, with a gap between", async () => {
    const { server, health } = watched();
    server.troubled.tell();
    server.troubled.tell();
    await settled();
    expect(server.asked).toBe(1);
    // The second of them failed when the question was on its way.
    await vi.advanceTimersByTimeAsync(GAP_MS);
    expect(server.asked).toBe(2);
    await vi.advanceTimersByTimeAsync(GAP_MS);
    expect(server.asked).toBe(2);
    server.reasons = [long];
    server.troubled.tell();
    await settled();
    expect([server.asked, health.reasons]).toEqual([3, [long]]);
  });

  it("stays as it was while there is no answer", async () => {
    const { server, health, told } = watched([full]);
    await health.ask();
    server.reasons = null;
    await vi.advanceTimersByTimeAsync(3 * AGAIN_MS);
    expect([server.asked, told(), health.reasons]).toEqual([4, 1, [full]]);
    server.reasons = [];
    await vi.advanceTimersByTimeAsync(AGAIN_MS);
    expect([told(), health.reasons]).toEqual([2, []]);
    server.reasons = null;
    server.troubled.tell();
    await vi.advanceTimersByTimeAsync(100 * AGAIN_MS);
    expect(server.asked).toBe(6);
  });
});
