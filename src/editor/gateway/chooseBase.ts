/**
 * The address to show: the forwarded one only where the gateway that answers through it is the one that answers on loopback. A forward may
 * lead to nothing, to a sign-in page, or to another machine's gateway. Pure but for `instanceAt`, which never rejects.
 */
export async function chooseBase(
  local: string,
  external: string,
  instanceAt: (base: string) => Promise<string | undefined>,
): Promise<string> {
  const base = external.replace(/\/+$/u, '');
  // Paths can't be put behind a query.
  if (base === local || /[?#]/u.test(base)) return local;
  const [here, there] = await Promise.all([instanceAt(local), instanceAt(base)]);
  return here !== undefined && here === there ? base : local;
}
