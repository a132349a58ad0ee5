// Threat: a slip takes a restriction out of force: `"deny": "exec"` would deny nothing, `"allow": [5]` be the empty list that
// means all. So where a file's word on safety can't be understood, the strictest there is stands for it until it is corrected.

export type KeyPath = readonly (string | number)[];

/** What holds in place of a part that is wrong: the strictest there is. */
export interface FailClosedDefault {
  readonly path: readonly string[];
  readonly value: unknown;
  /** Follows "until then": `no command runs`. */
  readonly meanwhile: string;
}

interface FixedDefault extends FailClosedDefault {
  /** Wrong values of these keys call for it, and so do wrong values of what holds them. */
  readonly keys: readonly string[];
}

const fixed: readonly FixedDefault[] = [
  {
    keys: ['approvals.mode'],
    path: ['approvals', 'mode'],
    value: 'deny',
    meanwhile: 'what needs approval is denied',
  },
  {
    keys: ['tools.exec.host', 'tools.exec.security', 'tools.exec.ask', 'tools.exec.deny', 'sandbox.enabled'],
    path: ['tools', 'exec', 'security'],
    value: 'deny',
    meanwhile: 'no command runs',
  },
  {
    keys: ['sandbox.workspaceAccess'],
    path: ['sandbox', 'workspaceAccess'],
    value: 'none',
    meanwhile: 'the sandbox sees nothing of the workspace',
  },
  {
    keys: ['tools.web.fetch.enabled', 'tools.web.fetch.denyHosts'],
    path: ['tools', 'web', 'fetch', 'enabled'],
    value: false,
    meanwhile: 'web_fetch is off',
  },
  {
    keys: ['plugins.required'],
    path: ['plugins', 'required'],
    value: ['(not known)'],
    meanwhile: 'the agent does not run',
  },
];

/** Where lists of tools stand; `*` is any key. */
const policies: readonly (readonly string[])[] = [
  ['tools'],
  ['tools', 'byProvider', '*'],
  ['tools', 'providers', '*'],
  ['tools', 'profiles', '*'],
  ['tools', 'sandbox', 'tools'],
  ['tools', 'subagents', 'tools'],
  ['agents', '*', 'tools'],
  ['agents', '*', 'tools', 'byProvider', '*'],
  ['groups', '*', 'tools'],
];

/** What takes the place of the wrong value at `path`; nothing where the default is as strict. Pure. */
export function findFailClosedDefaults(
  path: KeyPath,
  siblings: readonly unknown[],
): readonly FailClosedDefault[] {
  const found = fixed.filter(({ keys }) => keys.some((key) => isAbout(path, key.split('.'))));
  const closed = closedPolicy(path, siblings);
  return closed === undefined ? found : [closed, ...found];
}

/** A key of a profile, known or not: one that is misspelt may be the very list that narrows it. Pure. */
export function isProfileKey(path: KeyPath): boolean {
  return path.length > 3 && isWithin(path, ['tools', 'profiles', '*']);
}

function closedPolicy(path: KeyPath, siblings: readonly unknown[]): FailClosedDefault | undefined {
  const [first, second] = path;
  const isPolicy = first === 'agents' || first === 'groups' || (first === 'tools' && !isOtherTools(second));
  if (!isPolicy) return undefined;
  const enclosing = policies.findLast((policy) => isWithin(path, policy));
  const at = enclosing === undefined ? ['tools'] : path.slice(0, enclosing.length).map(String);
  const [list, index] = enclosing === undefined ? [] : path.slice(enclosing.length);
  if (list === 'alsoAllow') return undefined;
  // An allow list without one of its entries allows less, unless none is left: empty, it would allow all.
  const isOneOfMany = index !== undefined && siblings.some((each) => typeof each === 'string' && each !== '');
  if (list === 'allow' && isOneOfMany) return undefined;
  const where = at.length === 1 ? '' : ` by ${at.join('.')}`;
  return { path: [...at, 'deny'], value: ['*'], meanwhile: `every tool is denied${where}` };
}

function isOtherTools(key: string | number | undefined): boolean {
  return key === 'exec' || key === 'web';
}

/** True where one of both lies on the way to the other. */
function isAbout(path: KeyPath, key: readonly string[]): boolean {
  return path.length > 0 && path.every((part, index) => index >= key.length || part === key[index]);
}

function isWithin(path: KeyPath, policy: readonly string[]): boolean {
  return path.length >= policy.length && policy.every((part, index) => part === '*' || part === path[index]);
}
