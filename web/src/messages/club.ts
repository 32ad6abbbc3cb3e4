// Adds the battle platform's messages to those of the page.

import { clubEn } from "./club/en";
import { clubZh } from "./club/zh";
import { addMessages } from "./messages";

addMessages({ en: clubEn, zh: clubZh });
