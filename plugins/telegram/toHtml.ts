/** The marks of markdown that Telegram's HTML has; everything else is told as it is written, so that no text is a tag. Pure. */
export function toHtml(markdown: string): string {
  const parts = markdown.split(/(```[^\n`]*\n[\s\S]*?(?:```|$)|`[^`\n]+`)/u);
  return parts.map((part, index) => (index % 2 === 0 ? wordsOf(part) : codeOf(part))).join('');
}

function codeOf(part: string): string {
  const block = /^```[^\n`]*\n([\s\S]*?)\n?(?:```)?$/u.exec(part);
  if (block?.[1] !== undefined) return `<pre>${escaped(block[1])}</pre>`;
  return `<code>${escaped(part.slice(1, -1))}</code>`;
}

function wordsOf(text: string): string {
  return escaped(text)
    .replace(/\*\*([^*\n]+)\*\*/gu, '<b>$1</b>')
    .replace(/^#{1,6} +(.+)$/gmu, '<b>$1</b>');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
