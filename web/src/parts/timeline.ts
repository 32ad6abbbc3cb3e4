// Ratings over time as columns of a plot: one for each tournament in the order they were played, and
// more where several versions of one player met in the same tournament. Columns are not to scale in
// time: versions come in bursts, and would overlap.

import type { Series } from "../api/wire";

export type RatedPoint = Series["points"][number];

/** A column, and the point of each series in it. */
export interface Column {
  readonly tournament: number;
  readonly time: string;
  readonly points: readonly (RatedPoint | null)[];
}

/** The columns for `series`, earliest first. */
export function columns(series: readonly Series[]): Column[] {
  const tournaments = new Map<number, string>();
  for (const { points } of series) for (const { tournament, time } of points) tournaments.set(tournament, time);
  const order = [...tournaments].sort(([one, early], [other, late]) => Date.parse(early) - Date.parse(late) || one - other);
  return order.flatMap(([tournament, time]) => {
    const met = series.map(({ points }) => points.filter((point) => point.tournament === tournament).sort(byVersion));
    const width = Math.max(...met.map((points) => points.length));
    return Array.from({ length: width }, (_, at) => ({ tournament, time, points: met.map((points) => points[at] ?? null) }));
  });
}

/** Whether there is anything to compare: a player with two versions. */
export function hasVersions(series: readonly Series[]): boolean {
  return series.some(({ points }) => new Set(points.map((point) => point.version)).size > 1);
}

/** `v9` before `v10`. */
function byVersion(one: RatedPoint, other: RatedPoint): number {
  return one.version.localeCompare(other.version, "en", { numeric: true });
}
