/**
 * The path of a request, decoded, without a slash at its end; undefined where it has dots, a backslash or a second layer of encoding:
 * who checks and who serves might read it differently. Pure.
 */
export function plainPath(url: string): string | undefined {
  const [raw = ''] = url.split(/[?#]/u, 1);
  if (!raw.startsWith('/') || /%(?:2f|5c|25|00)|\\|\/\//iu.test(raw)) return undefined;
  try {
    const path = decodeURIComponent(raw);
    if (path.split('/').some((part) => part === '.' || part === '..')) return undefined;
    return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
  } catch {
    return undefined;
  }
}
