import TurndownService from 'turndown';
import { tidyLines } from './tidyLines.ts';
import type { CleanHtml } from './cleanHtml.ts';

/** What the rules need of the library's nodes, which are those of a browser. */
interface MarkupNode {
  readonly nodeName: string;
  readonly parentElement: MarkupNode | null;
  readonly firstElementChild: MarkupNode | null;
  readonly children: { readonly length: number };
  getAttribute(name: string): string | null;
}

/** The content of a page as markdown. Pure; for a page that is large or deep it takes seconds. */
export function htmlToMarkdown(page: CleanHtml): string {
  return tidyLines(createConverter().turndown(page.html));
}

function createConverter(): TurndownService {
  const converter = new TurndownService({
    headingStyle: 'atx',
    hr: '---',
    bulletListMarker: '-',
    codeBlockStyle: 'fenced',
    emDelimiter: '_',
  });
  converter.addRule('image', {
    filter: 'img',
    replacement: (_content, node: MarkupNode) => {
      const alt = node.getAttribute('alt')?.trim() ?? '';
      return alt === '' ? '' : `[image: ${alt.replace(/\s+/gu, ' ')}]`;
    },
  });
  // The library's own rule looks each item up among all others, which takes minutes for a hostile list.
  const counts = new WeakMap<object, number>();
  converter.addRule('item', {
    filter: 'li',
    replacement: (content, node: MarkupNode) => {
      const list = node.parentElement;
      const number = (list === null ? 0 : (counts.get(list) ?? 0)) + 1;
      if (list !== null) counts.set(list, number);
      const mark = list?.nodeName === 'OL' ? `${number}. ` : '- ';
      return `${mark}${content.trim().replaceAll('\n', `\n${' '.repeat(mark.length)}`)}\n`;
    },
  });
  converter.addRule('cell', {
    filter: ['td', 'th'],
    replacement: (content) => ` ${inCell(content)} |`,
  });
  converter.addRule('row', {
    filter: 'tr',
    replacement: (content, node: MarkupNode) => {
      const isFirst = node.parentElement?.firstElementChild === node;
      const cells = node.children.length;
      return `\n|${content}${isFirst ? `\n|${' --- |'.repeat(cells)}` : ''}`;
    },
  });
  converter.addRule('table', {
    filter: 'table',
    replacement: (content) => `\n\n${content.trim()}\n\n`,
  });
  converter.addRule('struckOut', { filter: 'del', replacement: (content) => `~~${content}~~` });
  return converter;
}

/** A cell holds one line. */
function inCell(content: string): string {
  const lines = content.split('\n').map((line) => line.trim());
  return lines
    .filter((line) => line !== '')
    .join(' ')
    .replaceAll('|', '\\|');
}
