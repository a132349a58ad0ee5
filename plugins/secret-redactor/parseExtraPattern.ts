// Threat: a pattern from the settings runs over everything that is stored. Only a subset of regular expressions is taken
// whose worst case is known: a fixed beginning, no groups, no alternatives, and one run of variable, bounded length.

export type ParsedPattern =
  { readonly ok: true; readonly pattern: RegExp } | { readonly ok: false; readonly why: string };

const maxRun = 512;
const item = /\\[dws]|\\[^A-Za-z0-9]|\[(?:\\.|[^\]\\])+\]|[^\\[\](){}*+?|^$.]/uy;
const quantifier = /\{(\d{1,4})(?:,(\d{1,4}))?\}|\?/uy;

/** Reads a pattern such as `acme_[A-Za-z0-9]{32}` or `corp-key-\d{4,12}`. Pure. */
export function parseExtraPattern(source: string): ParsedPattern {
  let at = 0;
  let fixedStart = 0;
  let isStart = true;
  let variable = 0;
  while (at < source.length) {
    const unit = take(item, source, at);
    if (unit === undefined)
      return refuse(`"${source.slice(at, at + 1)}" is not supported at position ${at + 1}`);
    at += unit.length;
    const repeat = take(quantifier, source, at);
    at += repeat?.length ?? 0;
    const [min, max] = boundsOf(repeat);
    if (max > maxRun || min > max) return refuse(`a repeat goes from 0 to ${maxRun}`);
    if (min !== max) variable += 1;
    if (isStart && isLiteral(unit) && repeat === undefined) fixedStart += 1;
    else isStart = false;
  }
  if (fixedStart < 3) return refuse('it must begin with 3 fixed characters');
  if (variable > 1) return refuse('only one part may repeat from {n,m} times or be optional');
  return compile(source);
}

function compile(source: string): ParsedPattern {
  try {
    return { ok: true, pattern: new RegExp(source, 'gu') };
  } catch {
    return refuse('it is not a valid regular expression');
  }
}

function take(form: RegExp, text: string, at: number): string | undefined {
  form.lastIndex = at;
  return form.exec(text)?.[0];
}

function boundsOf(repeat: string | undefined): readonly [number, number] {
  if (repeat === undefined) return [1, 1];
  if (repeat === '?') return [0, 1];
  const [min = 0, max = min] = (repeat.match(/\d+/gu) ?? []).map(Number);
  return [min, max];
}

function isLiteral(unit: string): boolean {
  return !unit.startsWith('[') && !/^\\[dws]$/u.test(unit);
}

function refuse(why: string): ParsedPattern {
  return { ok: false, why };
}
