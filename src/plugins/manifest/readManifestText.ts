// Threat: a manifest is a file from a stranger: no text at all, another encoding, nested so deep that a walk overflows the
// stack, or with a field named `__proto__` that swaps the prototype of what is made from it.
import JSON5 from 'json5';
import { errorMessage } from '../../base/errors.ts';

type ManifestText =
  | {
      readonly ok: true;
      readonly value: unknown;
      readonly text: string;
      readonly warnings: readonly string[];
    }
  | { readonly ok: false; readonly message: string; readonly line?: number; readonly column?: number };

const maxDepth = 100;

/** Reads the bytes of a manifest: strict JSON first, then JSON5 with a warning. */
export function readManifestText(bytes: Uint8Array): ManifestText {
  const decoded = decode(bytes);
  if (!decoded.ok) return decoded;
  const { text } = decoded;
  const parsed = parse(text);
  if (!parsed.ok) return parsed;
  const cleaned = dropPrototypes(parsed.value);
  if (!cleaned.ok) return failed(`it is nested deeper than ${maxDepth} levels`);
  const warnings = [
    ...(parsed.strict
      ? []
      : ['plugin manifest is not strict JSON (comments or trailing commas); it was read anyway']),
    ...(cleaned.dropped ? ['plugin manifest has a field named __proto__; it is ignored'] : []),
  ];
  return { ok: true, value: parsed.value, text, warnings };
}

function decode(bytes: Uint8Array): { readonly ok: true; readonly text: string } | Failed {
  const [first, second] = bytes;
  const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  if (isUtf16) return failed('it is UTF-16; save it as UTF-8');
  if (bytes.includes(0)) return failed('it is no text');
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.trim() === '' ? failed('it is empty') : { ok: true, text };
  } catch {
    return failed('it is no UTF-8 text');
  }
}

type Parsed = { readonly ok: true; readonly value: unknown; readonly strict: boolean } | Failed;

function parse(text: string): Parsed {
  try {
    return { ok: true, value: JSON.parse(text), strict: true };
  } catch {
    return parseTolerantly(text);
  }
}

function parseTolerantly(text: string): Parsed {
  try {
    return { ok: true, value: JSON5.parse(text), strict: false };
  } catch (error) {
    const line = error instanceof Error && 'lineNumber' in error ? error.lineNumber : undefined;
    const column = error instanceof Error && 'columnNumber' in error ? error.columnNumber : undefined;
    const message = errorMessage(error).replace(/^JSON5: /u, '');
    return failed(message, {
      ...(typeof line === 'number' ? { line } : {}),
      ...(typeof column === 'number' ? { column } : {}),
    });
  }
}

interface Failed {
  readonly ok: false;
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
}

function failed(why: string, at: Pick<Failed, 'line' | 'column'> = {}): Failed {
  return {
    ok: false,
    message: `failed to parse plugin manifest: ${why}`,
    ...at,
  };
}

/** Removes fields named `__proto__` in place; without recursion, so that depth can't overflow the stack. */
function dropPrototypes(value: unknown): { readonly ok: boolean; readonly dropped: boolean } {
  let dropped = false;
  let level: readonly unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maxDepth) return { ok: false, dropped };
    const next: unknown[] = [];
    for (const each of level) {
      if (typeof each !== 'object' || each === null) continue;
      if (Object.hasOwn(each, '__proto__')) dropped = Reflect.deleteProperty(each, '__proto__');
      for (const inner of Object.values(each)) next.push(inner);
    }
    level = next;
  }
  return { ok: true, dropped };
}
