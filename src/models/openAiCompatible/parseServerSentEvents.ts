/**
 * The `data` of each server-sent event, in order. Chunks may be cut anywhere, within a line ending too. Comments, other
 * fields and events without data are left out; several data lines of one event are joined by line feeds. An event that the
 * end of the text cuts off before its blank line still counts: some servers forget that line.
 *
 * The end mark `[DONE]` is data like any other.
 */
export async function* parseServerSentEvents(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let data: string[] = [];
  for await (const line of splitLines(chunks)) {
    if (line === '') {
      if (data.length > 0) yield data.join('\n');
      data = [];
      continue;
    }
    const value = dataOf(line);
    if (value !== undefined) data.push(value);
  }
  if (data.length > 0) yield data.join('\n');
}

/** The value of a `data` field; undefined for comments and other fields. One space after the colon belongs to the format. */
function dataOf(line: string): string | undefined {
  if (line === 'data') return '';
  if (!line.startsWith('data:')) return undefined;
  return line.startsWith(' ', 5) ? line.slice(6) : line.slice(5);
}

/** Lines that end with LF, CR or CRLF, passed on as soon as they end. */
async function* splitLines(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  let afterReturn = false;
  for await (const chunk of chunks) {
    if (chunk === '') continue;
    // A CR at the end of a chunk has ended its line already, so the LF of the same CRLF must not end another.
    const text = afterReturn && chunk.startsWith('\n') ? chunk.slice(1) : chunk;
    afterReturn = chunk.endsWith('\r');
    const [first = '', ...others] = text.split(/\r\n|\r|\n/u);
    const last = others.pop();
    if (last === undefined) {
      rest += first;
      continue;
    }
    yield rest + first;
    yield* others;
    rest = last;
  }
  if (rest !== '') yield rest;
}
