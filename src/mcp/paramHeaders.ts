// Threat: a server makes the client write headers of its choice: two of one name, one with a line end in it, or an argument where no proxy
// should see it. So only plain arguments are copied, under names that are tokens and stand once, and a definition that wants more is left out.
import { isRecord } from '../base/json.ts';

/** An argument that is sent as a header, too, so that what stands between can route by it. */
interface ParamHeader {
  /** Names of properties, outermost first. */
  readonly path: readonly string[];
  readonly header: string;
}

const key = 'x-mcp-header';
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/u;
/** Values, not schemas. */
const plain = new Set(['default', 'const', 'enum', 'examples', key]);
const kinds: readonly unknown[] = ['string', 'integer', 'boolean'];

/** What a definition wants to be sent as headers; a text is why that can't be, as the end of a sentence. Pure. */
export function readParamHeaders(schema: unknown): readonly ParamHeader[] | string {
  const found: ParamHeader[] = [];
  const names = new Set<string>();
  const visit = (node: unknown, path: readonly string[], isReachable: boolean): string | undefined => {
    if (Array.isArray(node)) return firstOf(node.map((each) => visit(each, path, false)));
    if (!isRecord(node)) return undefined;
    if (key in node) {
      const header = node[key];
      if (!isReachable || path.length === 0) return 'it asks for a header where none may be';
      if (typeof header !== 'string' || !token.test(header)) return 'it asks for a header with no valid name';
      if (!kinds.includes(node['type'])) return 'it asks for a header of an argument that is no plain value';
      if (names.has(header.toLowerCase())) return `it asks twice for the header ${header}`;
      names.add(header.toLowerCase());
      found.push({ path, header });
    }
    return firstOf(
      Object.entries(node).map(([name, each]) =>
        name === 'properties' && isRecord(each)
          ? firstOf(Object.entries(each).map(([property, of]) => visit(of, [...path, property], isReachable)))
          : plain.has(name)
            ? undefined
            : visit(each, path, false),
      ),
    );
  };
  return visit(schema, [], true) ?? found;
}

/** The headers of one call, with values that no header may hold in Base64. Pure. */
export function paramHeadersOf(
  schema: unknown,
  args: Readonly<Record<string, unknown>>,
): Readonly<Record<string, string>> {
  const wanted = readParamHeaders(schema);
  if (typeof wanted === 'string') return {};
  return Object.fromEntries(
    wanted.flatMap(({ path, header }) => {
      const value = path.reduce<unknown>((node, name) => (isRecord(node) ? node[name] : undefined), args);
      const isPlain = typeof value === 'string' || typeof value === 'boolean' || Number.isSafeInteger(value);
      return isPlain ? [[`Mcp-Param-${header}`, headerValue(String(value))]] : [];
    }),
  );
}

function headerValue(text: string): string {
  const isSafe = /^[\t\x20-\x7E]+$/u.test(text) && text === text.trim() && !/^=\?base64\?.*\?=$/u.test(text);
  return isSafe ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;
}

function firstOf(faults: readonly (string | undefined)[]): string | undefined {
  return faults.find((each) => each !== undefined);
}
