// Holds a description of the API against the rules of Redocly: node contract/lint.mjs FILE

import { createConfig, lint } from "@redocly/openapi-core";

const config = await createConfig({ extends: ["recommended-strict"] });
const problems = await lint({ ref: process.argv[2], config });
for (const { ruleId, message, location } of problems) console.error(`${ruleId}: ${message} (${location[0]?.pointer})`);
if (problems.length > 0) process.exit(1);
console.log("the description has no problem");
