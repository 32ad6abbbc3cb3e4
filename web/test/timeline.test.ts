// Ratings over time as columns: no version hides another, whenever they played.
import { describe, expect, it } from "vitest";
import type { Series } from "../src/api/wire";
import { columns, hasVersions } from "../src/parts/timeline";

const point = (tournament: number, version: string, time: string): Series["points"][number] => ({ tournament, version, time, elo: 0, low: -10, high: 10 });
const drawn = (series: readonly Series[]): [number, (string | null)[]][] =>
  columns(series).map(({ tournament, points }) => [tournament, points.map((each) => each?.version ?? null)]);

describe("ratings over time", () => {
  it("have a column for each tournament, also for two in the same second", () => {
    const now = "2026-11-15T12:00:00Z";
    const series = [{ name: "student", points: [point(2, "v2", now), point(1, "v1", now)] }];
    expect(drawn(series)).toEqual([[1, ["v1"]], [2, ["v2"]]]);
  });

  it("are in the order they were played, a gap where a player was not there", () => {
    const series = [
      { name: "ann", points: [point(1, "v1", "2026-03-01T00:00:00Z"), point(3, "v2", "2026-05-01T00:00:00Z")] },
      { name: "bob", points: [point(2, "v1", "2026-02-01T00:00:00Z"), point(3, "v1", "2026-05-01T00:00:00Z")] },
    ];
    expect(drawn(series)).toEqual([[2, [null, "v1"]], [1, ["v1", null]], [3, ["v2", "v1"]]]);
  });

  it("show versions that met in one tournament side by side, v9 before v10", () => {
    const day = "2026-03-01T00:00:00Z";
    const series = [
      { name: "ann", points: [point(1, "v10", day), point(1, "v9", day)] },
      { name: "bob", points: [point(1, "v1", day)] },
    ];
    expect(drawn(series)).toEqual([[1, ["v9", "v1"]], [1, ["v10", null]]]);
  });

  it("are worth a plot if a player has two versions", () => {
    const day = "2026-03-01T00:00:00Z";
    expect(hasVersions([])).toBe(false);
    expect(hasVersions([{ name: "ann", points: [point(1, "v1", day), point(2, "v1", day)] }])).toBe(false);
    expect(hasVersions([{ name: "ann", points: [point(1, "v1", day), point(2, "v2", day)] }])).toBe(true);
  });
});
