// Runs in the Chat view's page, which loads it with the first block of code: what a window shows first does not wait for grammars.
import core from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import go from 'highlight.js/lib/languages/go';
import ini from 'highlight.js/lib/languages/ini';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import markdown from 'highlight.js/lib/languages/markdown';
import python from 'highlight.js/lib/languages/python';
import rust from 'highlight.js/lib/languages/rust';
import shell from 'highlight.js/lib/languages/shell';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import { browser } from '../browser.ts';

const languages = {
  ...{ bash, css, diff, go, ini, java, javascript, json },
  ...{ markdown, python, rust, shell, sql, typescript, xml, yaml },
};
for (const [name, language] of Object.entries(languages)) core.registerLanguage(name, language);

browser.pincerColourCode = (code, language) =>
  core.getLanguage(language) === undefined
    ? undefined
    : core.highlight(code, { language, ignoreIllegals: true }).value;
