// The clock never gains time and never falls below 0.
import { describe, expect, it } from "vitest";
import { Clock, clockText } from "../src/game/clock";

const control = { budget_ms: 60_000, increment_ms: 2000 };

describe("the clock", () => {
  it("runs for one side at a time and gives the increment after a move", () => {
    const clock = new Clock(control);
    clock.start("black", 1000);
    expect(clock.remaining("black", 6000)).toBe(55_000);
    expect(clock.remaining("white", 6000)).toBe(60_000);
    clock.moved(6000);
    expect(clock.side).toBeNull();
    expect(clock.remaining("black", 99_000)).toBe(57_000);
    clock.start("white", 6000);
    expect(clock.remaining("white", 16_000)).toBe(50_000);
  });

  it("falls for good when the time is up", () => {
    const clock = new Clock(control);
    clock.start("white", 0);
    expect(clock.flag(59_999)).toBeNull();
    expect(clock.flag(60_000)).toBe("white");
    expect(clock.remaining("white", 99_999)).toBe(0);
    clock.moved(60_001);
    clock.start("black", 60_002);
    expect(clock.side).toBeNull();
    expect(clock.flag(60_003)).toBe("white");
  });

  it("a move made after the time was up comes too late", () => {
    const clock = new Clock(control);
    clock.start("black", 0);
    clock.moved(60_500);
    expect(clock.flag(60_501)).toBe("black");
    expect(clock.remaining("black", 60_501)).toBe(0);
  });

  it("stands still while it is stopped, and a clock that jumps back gives nothing", () => {
    const clock = new Clock(control);
    clock.start("black", 5000);
    clock.stop(10_000);
    expect(clock.remaining("black", 50_000)).toBe(55_000);
    clock.start("black", 60_000);
    expect(clock.remaining("black", 1000)).toBe(55_000);
  });

  it("goes on with what was left of it, and a fallen flag stays down", () => {
    const clock = new Clock(control);
    clock.start("black", 1000);
    const left = clock.read(11_000);
    expect(left).toEqual({ black: 50_000, white: 60_000 });
    const again = new Clock(control, left);
    again.start("black", 500);
    expect(again.remaining("black", 1500)).toBe(49_000);
    expect(left.black).toBe(50_000);
    const fallen = new Clock(control, { black: 4000, white: 0 });
    expect(fallen.flag(0)).toBe("white");
    fallen.start("black", 0);
    expect(fallen.side).toBeNull();
  });

  it("is read as people read clocks", () => {
    expect([0, 950, 9999, 10_000, 65_000, 600_000].map(clockText)).toEqual(["0.0", "0.9", "9.9", "0:10", "1:05", "10:00"]);
  });
});
