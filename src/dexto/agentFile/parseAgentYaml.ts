// Threat: a stranger's YAML. Aliases multiply (a "bomb"), nesting overflows the stack, tags ask for types, a key that is there twice means
// one thing to the reader and another to the program, `__proto__` changes what plugins inherit. None of it gets through.
import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  type Document,
  type Node,
  type Pair,
} from 'yaml';

export type KeyPath = readonly (string | number)[];

/** 1-based. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** Where keys and values stand in the text. */
export interface SourcePositions {
  /** The key at this path or, in a list, the item; where nothing is there, the nearest part around it. */
  keyAt(path: KeyPath): TextPosition;
  /** The value at this path; the nearest part around it where nothing is there. */
  valueAt(path: KeyPath): TextPosition;
}

interface YamlProblem {
  readonly code: 'agent_file_syntax' | 'agent_file_duplicate_key' | 'agent_file_too_complex';
  readonly message: string;
  readonly hint: string;
  readonly place: TextPosition;
}

export type ParsedYaml =
  | { readonly ok: true; readonly value: unknown; readonly places: SourcePositions }
  | { readonly ok: false; readonly problems: readonly YamlProblem[] };

/** Far more than an agent file needs. */
const limits = { depth: 40, nodes: 20_000, aliases: 50, problems: 20 };

/** Reads one YAML document as plain data: texts, numbers, booleans, null, lists and objects. Pure. */
export function parseAgentYaml(text: string): ParsedYaml {
  const lineCounter = new LineCounter();
  // Duplicate keys are looked for below: the library compares each key with each.
  const document = parseDocument(text, {
    schema: 'core',
    merge: false,
    resolveKnownTags: false,
    uniqueKeys: false,
    stringKeys: true,
    prettyErrors: false,
    lineCounter,
  });
  const placeOf = (offset: number): TextPosition => {
    const { line, col } = lineCounter.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const broken = [...document.errors, ...document.warnings].slice(0, limits.problems);
  if (broken.length > 0) {
    const problems = broken.map(({ code, message, pos }) =>
      code === 'RESOURCE_EXHAUSTION'
        ? tooDeep(placeOf(pos[0]))
        : syntaxProblem(code, message, placeOf(pos[0])),
    );
    // One overflow makes many errors.
    return {
      ok: false,
      problems: problems.filter((each, index) => index === 0 || isOther(each, problems[0])),
    };
  }
  return readTree(document, placeOf);
}

function isOther(problem: YamlProblem, first: YamlProblem | undefined): boolean {
  return problem.code !== 'agent_file_too_complex' && problem.place.line !== first?.place.line;
}

function syntaxProblem(code: string, message: string, place: TextPosition): YamlProblem {
  const [line = ''] = message.split('\n');
  return code === 'TAG_RESOLVE_FAILED'
    ? {
        code: 'agent_file_syntax',
        message: `YAML tags have no meaning here (${line}).`,
        hint: 'Remove the tag, which begins with "!", and write the value alone.',
        place,
      }
    : {
        code: 'agent_file_syntax',
        message: `The file is not valid YAML: ${line}.`,
        hint: remedies[code] ?? usualRemedy,
        place,
      };
}

/** What to write instead, by the parser's codes and our own. */
const remedies: Readonly<Record<string, string>> = {
  BAD_ALIAS: 'Write the value itself, or an anchor such as &name at the value that is meant.',
  BAD_INDENT: 'Indent keys of one level by the same number of spaces.',
  BAD_KEY: 'Give the key another name.',
  BAD_NUMBER: 'Write a finite number.',
  MISSING_CHAR: 'Close the quotes or brackets that were opened before it.',
  TAB_AS_INDENT: 'Indent by spaces: YAML allows no tabs there.',
};
const usualRemedy =
  'Look at this line and the one before: indentation, a colon with a space behind it, quotes around special characters.';

function tooDeep(place: TextPosition): YamlProblem {
  return tooComplex(`It is nested deeper than ${limits.depth} levels.`, 'Take levels away.', place);
}

function tooComplex(message: string, hint: string, place: TextPosition): YamlProblem {
  return { code: 'agent_file_too_complex', message, hint, place };
}

function readTree(document: Document, placeOf: (offset: number) => TextPosition): ParsedYaml {
  const keys = new Map<string, TextPosition>();
  const values = new Map<string, TextPosition>();
  const problems: YamlProblem[] = [];
  let nodes = 0;
  let aliases = 0;
  /** Once set, the rest is not read. */
  let excess: YamlProblem | undefined;
  const stop = (problem: YamlProblem): null => {
    excess = problem;
    return null;
  };

  const read = (node: unknown, path: KeyPath, at: TextPosition): unknown => {
    if (!isNode(node) || excess !== undefined) return null;
    const place = node.range == null ? at : placeOf(node.range[0]);
    const pathKey = keyOf(path);
    if (!values.has(pathKey)) values.set(pathKey, place);
    nodes += 1;
    if (nodes > limits.nodes)
      return stop(
        tooComplex(
          `It has more than ${limits.nodes} values.`,
          'Take values away, or aliases that repeat them.',
          place,
        ),
      );
    if (path.length > limits.depth) return stop(tooDeep(place));
    if (isAlias(node)) {
      aliases += 1;
      if (aliases > limits.aliases)
        return stop(
          tooComplex(
            `It has more than ${limits.aliases} aliases.`,
            'Write values out in their place.',
            place,
          ),
        );
      const target = node.resolve(document);
      if (target !== undefined) return read(target, path, place);
      problems.push(
        syntaxProblem('BAD_ALIAS', `there is no anchor "${node.source}" before this alias`, place),
      );
      return null;
    }
    if (isMap(node)) return readMap(node.items, path, place);
    if (isSeq(node)) return node.items.map((item, index) => read(item, [...path, index], place));
    if (!isScalar(node)) return null;
    if (typeof node.value === 'number' && !Number.isFinite(node.value))
      problems.push(syntaxProblem('BAD_NUMBER', 'this is no number that a program can count with', place));
    return node.value;
  };

  const readMap = (pairs: readonly Pair[], path: KeyPath, at: TextPosition): Record<string, unknown> => {
    const object: Record<string, unknown> = {};
    for (const { key: keyNode, value } of pairs) {
      const key = isScalar(keyNode) ? String(keyNode.value) : '';
      const place = isScalar(keyNode) && keyNode.range != null ? placeOf(keyNode.range[0]) : at;
      const keyPath = [...path, key];
      const before = keys.get(keyOf(keyPath));
      if (key === '__proto__') {
        problems.push(syntaxProblem('BAD_KEY', 'no key may be called __proto__', place));
      } else if (Object.hasOwn(object, key)) {
        problems.push(duplicateKey(key, before, place));
      } else {
        if (before === undefined) keys.set(keyOf(keyPath), place);
        object[key] = read(value, keyPath, place);
      }
    }
    return object;
  };

  const value = read(document.contents, [], { line: 1, column: 1 });
  const found = excess === undefined ? problems.slice(0, limits.problems) : [excess];
  return found.length > 0
    ? { ok: false, problems: found }
    : { ok: true, value, places: createPlaces(keys, values) };
}

function duplicateKey(key: string, first: TextPosition | undefined, place: TextPosition): YamlProblem {
  const where = first === undefined ? '' : `, first in line ${first.line}`;
  return {
    code: 'agent_file_duplicate_key',
    message: `The key "${key}" is there twice${where}.`,
    hint: 'Remove one of the two.',
    place,
  };
}

function isNode(value: unknown): value is Node {
  return isAlias(value) || isMap(value) || isSeq(value) || isScalar(value);
}

function keyOf(path: KeyPath): string {
  return JSON.stringify(path);
}

function createPlaces(
  keys: ReadonlyMap<string, TextPosition>,
  values: ReadonlyMap<string, TextPosition>,
): SourcePositions {
  const nearest = (path: KeyPath, maps: readonly ReadonlyMap<string, TextPosition>[]): TextPosition => {
    for (let length = path.length; length >= 0; length -= 1) {
      const key = keyOf(path.slice(0, length));
      const found = maps.map((map) => map.get(key)).find((place) => place !== undefined);
      if (found !== undefined) return found;
    }
    return { line: 1, column: 1 };
  };
  return {
    keyAt: (path) => nearest(path, [keys, values]),
    valueAt: (path) => nearest(path, [values, keys]),
  };
}
