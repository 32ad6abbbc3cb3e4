// Grades by rank, as the server gives them.
import { describe, expect, it } from "vitest";
import { gradeOf, readRule } from "../src/game/grades";

describe("grades", () => {
  it("are given by rank, from the best down", () => {
    const rule = readRule("10:A, 50:B ,100 : C")!;
    expect(rule.map(({ grade }) => grade)).toEqual(["A", "B", "C"]);
    const grades = Array.from({ length: 20 }, (_, index) => gradeOf(index + 1, 20, rule));
    expect(grades.join("")).toBe("AABBBBBBBBCCCCCCCCCC");
    expect(gradeOf(1, 1, rule.slice(0, 2))).toBe(null);
  });

  it("need a rule that can be read", () => {
    for (const text of ["", "A", "10", "10:", "101:A", "10:=1+1", "10:A,", "x:A", "-1:A"]) expect(readRule(text), text).toBe(null);
    expect(readRule("100:1.0")).toEqual([{ percent: 100, grade: "1.0" }]);
  });
});
