/** English words that tell nothing of what is asked for, in lower case; endings that an apostrophe leaves are among them. */
export const stopWords: ReadonlySet<string> = new Set(
  `a about an and any are as at be been but by can could did do does doing done for from had has have having he her him his how
   i if in into is it its me my of on or our please she should so some tell than that the their them then there these they this
   those to us was we were what when where which who whom whose why will with would you your s t d ll re ve m don doesn didn isn
   aren wasn weren`.split(/\s+/),
);
