/** A folder name for a plugin's id. Ids may hold anything, `..`, slashes and device names included; folder names may not. */
export function pluginFolderName(id: string): string {
  const plain = encodeURIComponent(id).replaceAll('.', '%2E').replaceAll('*', '%2A');
  return `p-${plain.slice(0, 100)}`;
}
