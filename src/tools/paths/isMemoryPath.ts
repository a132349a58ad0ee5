/**
 * Whether a place below a workspace folder belongs to the memory: `MEMORY.md`, `memory.md`, or markdown below `memory/`.
 * Where the platform's volumes ignore case, so does this. Pure.
 */
export function isMemoryPath(platform: NodeJS.Platform, segments: readonly string[]): boolean {
  const ignoresCase = platform === 'win32' || platform === 'darwin';
  const names = ignoresCase ? segments.map((name) => name.toLowerCase()) : segments;
  const [first = ''] = names;
  if (names.length === 1) return first === 'MEMORY.md' || first === 'memory.md';
  return first === 'memory' && (names.at(-1) ?? '').endsWith('.md');
}
