const shapes: readonly RegExp[] = [
  // #140736
  /^#\d+$/,
  // PROJ-1234, CVE-2026-25593; not mach-5, GPT-4 or 20-year
  /^[A-Z][A-Z\d]*(?:-\d+)*-\d{2,}$/,
  /^[a-z][a-z\d]+(?:-\d+)*-\d{3,}$/i,
  // GHSA-99qw-6mr3-36qr, 2026-02-15
  /^(?=(?:[^-]*\d[^-]*-|[^-]+-)*[^-]*\d)(?=.*\d.*-.*\d)[a-z\d]+(?:-[a-z\d]+){2,}$/i,
  // v2.3.1, v24.1, 2.3.1; not 2.5
  /^v\d+(?:\.\d+)+(?:-[\w.]+)?$/i,
  /^\d+(?:\.\d+){2,}(?:-[\w.]+)?$/,
  // a.b.c, package.json, console.log; not e.g, U.S.A
  /^(?![A-Z](?:\.[A-Z])+$)\w+(?:\.\w+){2,}$/,
  /^(?=.*[a-z_])\w{2,}\.\w{2,}$/i,
  // src/a/b.md, src/a/b; not and/or
  /^[\w.-]+(?:\/[\w.-]+)+\.\w+$/,
  /^[\w.-]+(?:\/[\w.-]+){2,}$/,
  // before_tool_call
  /^_*[a-z\d]+(?:_+[a-z\d]+)+_*$/i,
  // fffe5a2b13bf, TS2322
  /^(?=.*\d)(?=.*[a-f])[\da-f]{7,64}$/i,
  /^[A-Z]{1,6}\d{3,}$/,
];

/** True for a token that names one thing, such as an issue, a version, a path or a function; never for ordinary words. */
export function isIdLike(token: string): boolean {
  return token.length <= 64 && shapes.some((shape) => shape.test(token));
}
