import type { ContextKeeper } from '../agent/context/contextKeeper.ts';
import { createContextKeeper, type ContextKeeperDeps } from '../agent/context/createContextKeeper.ts';
import type { Session } from '../sessions/session.ts';

/** The keeper of each session, made at the first need and gone with the session. */
export function createKeepers(
  depsFor: (session: Session) => ContextKeeperDeps,
): (session: Session) => ContextKeeper {
  const keepers = new WeakMap<Session, ContextKeeper>();
  return (session) => {
    const known = keepers.get(session);
    if (known !== undefined) return known;
    const keeper = createContextKeeper(depsFor(session));
    keepers.set(session, keeper);
    return keeper;
  };
}
