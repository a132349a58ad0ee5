/** Tokens as models count them, roughly: one for four characters, or for one CJK character. */
export function estimateTokens(text: string): number {
  let wide = 0;
  for (let at = 0; at < text.length; at += 1) if (isWide(text.charCodeAt(at))) wide += 1;
  return wide + (text.length - wide) / 4;
}

/** Chinese, Japanese, Korean, and the surrogates of everything rare. */
function isWide(code: number): boolean {
  return code >= 0x2e80;
}

/** Cuts a line into pieces of at most `maxTokens`, after a sentence or a word where one ends late in the piece. */
export function splitLine(line: string, maxTokens: number): string[] {
  const pieces: string[] = [];
  let start = 0;
  while (start < line.length) {
    const limit = pieceEnd(line, start, maxTokens);
    const end = limit === line.length ? limit : niceEnd(line, start, limit);
    pieces.push(line.slice(start, end).trim());
    start = end;
  }
  return pieces.filter((piece) => piece !== '');
}

function pieceEnd(line: string, start: number, maxTokens: number): number {
  let tokens = 0;
  let end = start;
  while (end < line.length) {
    tokens += isWide(line.charCodeAt(end)) ? 1 : 0.25;
    if (tokens > maxTokens) break;
    end += 1;
  }
  const splitsPair = end < line.length && /[\uDC00-\uDFFF]/u.test(line.charAt(end));
  return Math.max(splitsPair ? end - 1 : end, start + 1);
}

function niceEnd(line: string, start: number, limit: number): number {
  const piece = line.slice(start, limit);
  const sentence = Math.max(...['. ', '! ', '? ', '。'].map((mark) => piece.lastIndexOf(mark)));
  const inside = [sentence + 1, piece.lastIndexOf(' ') + 1].find((end) => end > piece.length / 2);
  return inside === undefined ? limit : start + inside;
}
