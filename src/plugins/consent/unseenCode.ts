// Threat: a plugin hides what it does from the list that people agree to: it runs a text, or fetches a module by a name that the
// list does not follow or by a loader that is not the plugin's own `import` and `require`. None of that can be read; that it is
// there can. Each run of a pattern has a limit: without one, text can be made to take minutes.

/** Code that is made of a text. */
export const codeOfText = either(
  // Under whatever name it is called then: `(0, eval)`, `const run = eval`, `globalThis['eval']`.
  /\beval\b/u,
  /\bFunction\s{0,9}(?:\?\.\s{0,9})?\(/u,
  // Handed on, and no type.
  /(?:[=(,?[]\s{0,9}|\bnew\s{1,9}|\b(?:globalThis|global)\s{0,9}\??\.\s{0,9})Function\b(?!\s{0,9}[.>\w])/u,
  /[\w$)}\]'"`]\s{0,9}(?:\?\.\s{0,9})?\[\s{0,9}['"`](?:Function|constructor)['"`]/u,
  // Any function's constructor is `Function`; what a class makes of its own kind is none.
  /(?<!\bthis)\.\s{0,9}constructor\s{0,9}(?:\?\.\s{0,9})?\(/u,
  /\b(?:constructor|module)\s{0,9}\??\.\s{0,9}constructor\b|\}\s{0,9}\)\s{0,9}\.\s{0,9}constructor\b/u,
);

/** Blanks and comments. */
const gap = /(?:\s|\/\*[^*]{0,99}\*\/){0,20}/u.source;
const literal = /(?:'[^'\n]{0,200}'|"[^"\n]{0,200}"|`[^`$]{0,200}`)/u.source;

/** Whatever may run and is not in the text. */
export const unseenCode = either(
  codeOfText,
  // A module by a name that is no literal, or in a call that does not look like one.
  new RegExp(
    `\\b(?:import|require)\\s{0,9}(?:\\?\\.\\s{0,9})?\\((?!${gap}(?:\\)|${literal}${gap}[,)]))`,
    'u',
  ),
  /\b(?:import|require)(?:\s{10}|\s{0,9}\/[*/])/u,
  // `require` under another name.
  /=\s{0,9}require\s{0,9}[\n;,]|\brequire\s{0,9}(?:\)\s{0,9}\(|(?:\?\.\s{0,9})?\[|\??\.\s{0,9}(?:call|apply|bind)\b)/u,
  // A name that is broken over lines, however often. No limit: its runs begin at a quote and have none, so that none overlap.
  /['"`][\w$:/]*(?:\\\r?[\n\u2028\u2029][\w$:/]*)+['"`]/u,
  // What Node loads code with by itself.
  /\b(?:mainModule|getBuiltinModule|_load|_compile|_extensions|_linkedBinding|dlopen)\b|\bprocess\s{0,9}\??\.\s{0,9}binding\b/u,
  /['"`](?:(?:node:)?(?:vm|worker_threads|inspector(?:\/promises)?|repl|wasi)|node:(?:sea|test))['"`]/u,
  // Of Node's loader a plugin gets its own `createRequire`, and the rest as it is.
  /\b(?<!\{\s{0,9}createRequire(?:\s{0,9}(?:\bas\b|:)\s{0,9}[\w$]{1,60})?\s{0,9},?\s{0,9}\}\s{0,9}(?:=\s{0,9}(?:await\s{1,9})?)?)(?:from|import|require)\s{0,9}\(?\s{0,9}['"`](?:node:)?module['"`](?!\s{0,9}\)\s{0,9}\??\.\s{0,9}createRequire\b)/u,
  // Any of these by a name that is put together.
  /\b(?:process|globalThis|global)\s{0,9}(?:\?\.\s{0,9})?\[(?!\s{0,9}(?:['"`][^'"`$]{0,99}['"`]\s{0,9}\]|Symbol\b))/u,
);

function either(...patterns: readonly RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => source).join('|'), 'u');
}
