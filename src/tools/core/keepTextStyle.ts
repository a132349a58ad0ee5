import { byteOrderMark } from '../textEncoding.ts';

/**
 * A whole new text with the byte order mark and the line ends of the old one: models see neither, so they mean no change by
 * leaving them out. Pure.
 */
export function keepTextStyle(before: string | null, content: string): string {
  if (before === null) return content;
  const isMarked = before.startsWith(byteOrderMark) && !content.startsWith(byteOrderMark);
  const isWindows = before.includes('\r\n') && !/(?<!\r)\n/u.test(before) && !content.includes('\r\n');
  return (isMarked ? byteOrderMark : '') + (isWindows ? content.replaceAll('\n', '\r\n') : content);
}
