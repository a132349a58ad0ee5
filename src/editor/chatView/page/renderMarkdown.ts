// Threat: what is rendered was written by models, plugins and files. No HTML of theirs gets through, no image is loaded (its address would
// carry what they know to a server), and a link is an attribute that the page hands on: it goes nowhere by itself.
import MarkdownIt from 'markdown-it';

const markdown = new MarkdownIt({ html: false, linkify: true });
/** Addresses of the web, commands of ours, and paths. */
markdown.validateLink = (address) => /^(?:https?:\/\/|command:|[^:]*$)/iu.test(address);
const { escapeHtml } = markdown.utils;
markdown.renderer.rules['image'] = (tokens, at) => {
  const token = tokens[at];
  const [content, address] = [token?.content ?? '', String(token?.attrGet('src') ?? '')];
  return `<a href="${escapeHtml(address)}">${escapeHtml(content === '' ? address : content)}</a>`;
};
// A block that is still being written stands in one colour: its grammar would take half a string for the rest of the text.
markdown.renderer.rules['fence'] = (tokens, at) => {
  const { content = '', info = '', map = null } = tokens[at] ?? {};
  const [language = ''] = /^[\w#+.-]*/u.exec(info.trim()) ?? [];
  const lines = content === '' ? 0 : content.replace(/\n$/u, '').split('\n').length;
  const isClosed = map !== null && map[1] - map[0] === lines + 2;
  const named = isClosed && language !== '' ? ` data-language="${escapeHtml(language.toLowerCase())}"` : '';
  return `<pre><code${named}>${escapeHtml(content)}</code></pre>\n`;
};
// `[ ]` and `[x]` at the beginning of a list's item.
markdown.core.ruler.after('inline', 'task', ({ tokens }) => {
  for (const [at, { type, children }] of tokens.entries()) {
    const first = children?.[0];
    if (type !== 'inline' || tokens[at - 2]?.type !== 'list_item_open' || first?.type !== 'text') continue;
    first.content = first.content.replace(/^\[(?<state>[ xX])\] /u, (_, state) =>
      state === ' ' ? '☐ ' : '☑ ',
    );
  }
});

/** HTML of a text that others wrote, or of a line of our own. Icons of VS Code, `$(name)`, are not drawn here. */
export function renderMarkdown(text: string): string {
  return markdown.render(text);
}

/** The same of a line of our own. */
export function renderOwn(text: string): string {
  return markdown.render(text.replace(/(?<!\\)\$\([\w-]+\)\s?/gu, ''));
}

/**
 * A text as it is copied. Threat: what nobody saw when the answer was drawn is pasted elsewhere and read there, by another agent too. So
 * definitions of links go (a title of theirs holds any text), and of what stands behind a fence its first word stays. Pure.
 */
export function copiedMarkdown(text: string): string {
  const lines = text.split(/\r\n?|\n/u);
  const drawn = new Set<number>();
  for (const { type, map, markup } of markdown.parse(text, {})) {
    if (map === null || containers.has(type)) continue;
    const [from, to] = map;
    for (let line = from; line < to; line += 1) drawn.add(line);
    if (type !== 'fence') continue;
    const opening = lines[from] ?? '';
    const end = opening.indexOf(markup) + markup.length;
    lines[from] = opening.slice(0, end) + (/^[\w#+.-]*/u.exec(opening.slice(end).trim())?.[0] ?? '');
  }
  // What is part of no block and no bare marker of a quote or a list defines a link. An empty line in its place joins nothing.
  return lines.map((line, at) => (drawn.has(at) || /^[\s>*+\-\d.)]*$/u.test(line) ? line : '')).join('\n');
}

/** They say nothing of which of their lines are drawn. */
const containers: ReadonlySet<string> = new Set([
  'blockquote_open',
  'bullet_list_open',
  'ordered_list_open',
  'list_item_open',
]);
