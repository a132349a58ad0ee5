/** Upstream's form of a reference is a URI with the id. */
const scheme = 'blob:';

const idForm = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/u;

export function uriOf(id: string): string {
  return `${scheme}${id}`;
}

/** The id in a reference; undefined where no id of ours can be in it, so that none becomes a path of another file. */
export function idIn(reference: unknown): string | undefined {
  if (typeof reference !== 'string') return undefined;
  const id = reference.startsWith(scheme) ? reference.slice(scheme.length) : reference;
  return idForm.test(id) ? id : undefined;
}
