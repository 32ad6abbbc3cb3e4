// Grades by rank, as the server gives them: `10:A,50:B,100:C` gives the best tenth an A.

/** A line of a rule: up to which part of the players, in percent, which grade. */
export interface GradeLine {
  readonly percent: number;
  readonly grade: string;
}

/** The lines of a rule, from the best grade down; null if it cannot be read. */
export function readRule(text: string): GradeLine[] | null {
  const lines = text.split(",").map((line) => {
    const found = /^\s*(\d{1,3})\s*:\s*([^\s=+\-@][^,]*)$/.exec(line);
    const percent = Number(found?.[1]);
    return found && percent <= 100 ? { percent, grade: found[2]!.trim() } : null;
  });
  return lines.every((line) => line !== null) ? lines : null;
}

/** The grade of a rank among so many; null if the rule ends before it. */
export function gradeOf(rank: number, players: number, rule: readonly GradeLine[]): string | null {
  return rule.find(({ percent }) => rank * 100 <= percent * players)?.grade ?? null;
}
