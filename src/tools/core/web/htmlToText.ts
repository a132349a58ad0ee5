import { decodeHTML } from 'entities/decode';
import { tidyLines } from './tidyLines.ts';
import { scanHtml } from './scanHtml.ts';

const lineTags = new Set(['br', 'tr', 'li', 'hr', 'td', 'th']);
const inlineTags = new Set(['a', 'b', 'strong', 'i', 'em', 'code', 'img', 'del']);

/** The text of cleaned HTML, a line for each block. Linear. */
export function htmlToText(html: string): string {
  const out: string[] = [];
  let pre = 0;
  for (const token of scanHtml(html)) {
    if (token.kind === 'text') {
      const text = decodeHTML(token.text);
      out.push(pre > 0 ? text : text.replace(/\s+/gu, ' '));
      continue;
    }
    if (token.name === 'pre') pre = Math.max(0, pre + (token.kind === 'open' ? 1 : -1));
    if (inlineTags.has(token.name)) continue;
    if (!lineTags.has(token.name)) out.push('\n\n');
    else if (token.kind === 'open') out.push(token.name === 'td' || token.name === 'th' ? ' ' : '\n');
  }
  return tidyLines(out.join('').replaceAll('\n ', '\n'));
}
