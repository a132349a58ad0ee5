/** Without spaces at the ends of lines and without more than one empty line in a row. */
export function tidyLines(text: string): string {
  const lines = text.split('\n').map((line) => line.trimEnd());
  return lines
    .join('\n')
    .replace(/\n{3,}/gu, '\n\n')
    .trim();
}
