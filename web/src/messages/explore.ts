// Adds the explorer's messages to those of the page.

import { exploreEn } from "./explore/en";
import { exploreZh } from "./explore/zh";
import { addMessages } from "./messages";

addMessages({ en: exploreEn, zh: exploreZh });
