import { editDistance } from '../../base/editDistance.ts';
import { isRecord } from '../../base/json.ts';
import { manifestFieldNames, manifestSchema, type ManifestFields } from './manifestSchema.ts';

/** Something in a manifest that was left out or looks like a slip. */
interface ManifestProblem {
  readonly message: string;
  readonly path: readonly (string | number)[];
}

const maxProblems = 20;
/** With more fields than that, nobody wrote them by hand. */
const maxKeys = 200;
const optionalFields = manifestSchema.partial();

/**
 * What a manifest says besides its id and schema. What has the wrong type counts as absent, as upstream has it, but here it
 * is named. Changes nothing in `manifest`.
 */
export function readManifestFields(manifest: Readonly<Record<string, unknown>>): {
  readonly fields: ManifestFields;
  readonly problems: readonly ManifestProblem[];
  /** Keys that mean nothing here and are no slips. */
  readonly unknown: readonly string[];
} {
  const slips = misspelled(manifest);
  const problems = [...slips];
  const fields: Record<string, unknown> = {};
  for (const name of manifestFieldNames) {
    const value = Object.hasOwn(manifest, name) ? manifest[name] : undefined;
    if (value === undefined || value === null) continue;
    const read = readField(name, structuredClone(value));
    if (read.value !== undefined) fields[name] = read.value;
    problems.push(...read.problems);
  }
  const kept = problems.slice(0, maxProblems);
  if (problems.length > maxProblems) {
    kept.push({
      message: `plugin manifest: ${problems.length - maxProblems} more fields are ignored`,
      path: [],
    });
  }
  const unknown = Object.keys(manifest)
    .filter((key) => !manifestFieldNames.includes(key) && !slips.some(({ path }) => path[0] === key))
    .slice(0, maxProblems);
  return { fields, problems: kept, unknown };
}

interface ReadField {
  readonly value: unknown;
  readonly problems: readonly ManifestProblem[];
}

/** Takes out what does not fit, piece by piece, until the rest does. */
function readField(name: string, value: unknown): ReadField {
  /** The last one first. */
  const problems: ManifestProblem[] = [];
  const holder: Record<string, unknown> = { [name]: value };
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const result = optionalFields.safeParse(holder);
    if (result.success) {
      return {
        value: (result.data as Readonly<Record<string, unknown>>)[name],
        problems: problems.reverse(),
      };
    }
    for (const { path, message } of result.error.issues.toReversed()) {
      const at = path.filter((part) => typeof part !== 'symbol');
      // A piece that is missing spoils what it is missing in.
      const target = attempt === 2 ? [name] : valueAt(holder, at) === undefined ? at.slice(0, -1) : at;
      problems.push({ path: at, message: `plugin manifest: ${pathText(at)} is ignored (${message})` });
      remove(holder, target.length === 0 ? [name] : target);
    }
  }
  return { value: undefined, problems: problems.reverse() };
}

function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (at, key) =>
      typeof at === 'object' && at !== null && Object.hasOwn(at, key) ? Reflect.get(at, key) : undefined,
    value,
  );
}

/** Last issues first, so that removing from a list does not move what is still to be removed. */
function remove(root: Record<string, unknown>, path: readonly (string | number)[]): void {
  const parent = valueAt(root, path.slice(0, -1));
  const key = path.at(-1);
  if (Array.isArray(parent) && typeof key === 'number') parent.splice(key, 1);
  else if (isRecord(parent) && key !== undefined) Reflect.deleteProperty(parent, key);
}

/** Unknown fields are fine, upstream has many; one that nearly has a known name is a slip. */
function misspelled(manifest: Readonly<Record<string, unknown>>): readonly ManifestProblem[] {
  const keys = Object.keys(manifest);
  if (keys.length > maxKeys) return [];
  return keys.flatMap((key) => {
    if (manifestFieldNames.includes(key) || key.length < 4 || key.length > 40) return [];
    const meant = manifestFieldNames.find(
      (name) => name.length >= 4 && editDistance(key.toLowerCase(), name.toLowerCase()) <= 1,
    );
    if (meant === undefined) return [];
    return [{ path: [key], message: `plugin manifest: unknown field "${key}"; did you mean "${meant}"?` }];
  });
}

function pathText(path: readonly (string | number)[]): string {
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`))
    .join('')
    .replace(/^\./u, '');
}
