/** One message of a stored chat, as far as it is looked at. */
export interface StoredRequest {
  readonly message: { readonly text: string };
  /** Absent while the answer runs: the panel stores it half done, too. */
  readonly modelState?: { readonly completedAt?: number };
}

type Key = string | number;
type Container = Record<Key, unknown>;

/** A line of the file: the whole chat at first, then what is set, pushed or deleted under a path of keys. */
type Entry =
  | { readonly kind: 0; readonly v: unknown }
  | { readonly kind: 1; readonly k: readonly Key[]; readonly v: unknown }
  | { readonly kind: 2; readonly k: readonly Key[]; readonly v?: readonly unknown[]; readonly i?: number }
  | { readonly kind: 3; readonly k: readonly Key[] };

/**
 * The messages of a chat as the panel has stored it last, oldest first. Undefined where the file ends in half a line:
 * it is being written.
 */
export function storedRequests(text: string): readonly StoredRequest[] | undefined {
  if (!text.endsWith('\n')) return undefined;
  const root: Container = {};
  for (const line of text.trimEnd().split('\n')) apply(root, JSON.parse(line) as Entry);
  const chat = root['chat'] as { readonly requests?: readonly StoredRequest[] } | undefined;
  return chat?.requests ?? [];
}

function apply(root: Container, entry: Entry): void {
  if (entry.kind === 0) {
    root['chat'] = entry.v;
    return;
  }
  const path = ['chat', ...entry.k];
  const last = path.pop() ?? 'chat';
  const parent = path.reduce<Container>((at, key) => at[key] as Container, root);
  if (entry.kind === 3) Reflect.deleteProperty(parent, last);
  else if (entry.kind === 1) parent[last] = entry.v;
  else {
    const list = (parent[last] ??= []) as unknown[];
    parent[last] = [...list.slice(0, entry.i), ...(entry.v ?? [])];
  }
}
