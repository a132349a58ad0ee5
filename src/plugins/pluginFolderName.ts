import { createHash } from 'node:crypto';

const maxPlain = 80;

/** A folder name for a plugin's id. Ids may hold anything, `..`, slashes and device names included; folder names may not. */
export function pluginFolderName(id: string): string {
  const plain = encodeURIComponent(id).replaceAll('.', '%2E').replaceAll('*', '%2A');
  if (plain.length <= maxPlain) return `p-${plain}`;
  // Two long ids may begin alike.
  return `p-${plain.slice(0, maxPlain)}${createHash('sha256').update(id).digest('hex').slice(0, 16)}`;
}
