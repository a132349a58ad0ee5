import type { SessionHeader } from '../contracts/sessionEntry.ts';
import { sessionUnknown } from './sessionErrors.ts';
import type { Session } from './session.ts';
import type { SessionStore } from './sessionStore.ts';
import { visibleToTenant } from './visibleToTenant.ts';

/**
 * The sessions of one tenant: what is made belongs to it, and what belongs to another is not there at all. `tenantOf` is asked with
 * each call. A transcript that can't be read belongs to nobody. Dexto plugin specification, Multi-Tenant Context Passing.
 */
export function createTenantSessions(
  store: SessionStore,
  tenantOf: () => SessionHeader['tenant'],
): SessionStore {
  const isVisible = ({ header }: Session): boolean => visibleToTenant(header, tenantOf());
  /** Before anything is done with a session by its id. The tenant is asked for first: it may change while the disk is read. */
  const check = async (id: string): Promise<void> => {
    const tenant = tenantOf();
    const session = store.peek(id)?.header ?? (await store.summary(id));
    if (session !== undefined && !visibleToTenant(session, tenant)) throw sessionUnknown(id);
  };
  return {
    onDidChange: store.onDidChange,
    create(folders, origin) {
      const tenant = tenantOf();
      return store.create(folders, { ...withoutTenant(origin), ...(tenant === undefined ? {} : { tenant }) });
    },
    peek(id) {
      const session = store.peek(id);
      return session !== undefined && isVisible(session) ? session : undefined;
    },
    async ofKey(key) {
      const tenant = tenantOf();
      const id = await store.ofKey(key);
      const session = id === undefined ? undefined : (store.peek(id)?.header ?? (await store.summary(id)));
      return session !== undefined && visibleToTenant(session, tenant) ? id : undefined;
    },
    isOfOthers: (chatId, tenant) => store.isOfOthers(chatId, tenant),
    async isReplaced(id) {
      await check(id);
      return await store.isReplaced(id);
    },
    async open(id) {
      const tenant = tenantOf();
      const session = await store.open(id);
      return session !== undefined && visibleToTenant(session.header, tenant) ? session : undefined;
    },
    async fork(session, at, folders) {
      if (!isVisible(session)) throw sessionUnknown(session.id);
      return await store.fork(session, at, folders);
    },
    async list() {
      const tenant = tenantOf();
      const seen = new Set(
        (await store.summaries()).flatMap((each) => (visibleToTenant(each, tenant) ? [each.id] : [])),
      );
      return (await store.list()).filter((id) => seen.has(id));
    },
    async summaries() {
      const tenant = tenantOf();
      return (await store.summaries()).filter((each) => visibleToTenant(each, tenant));
    },
    async summary(id) {
      const tenant = tenantOf();
      const summary = await store.summary(id);
      return summary !== undefined && visibleToTenant(summary, tenant) ? summary : undefined;
    },
    search(query, signal, isWanted = () => true) {
      const tenant = tenantOf();
      return store.search(query, signal, (each) => visibleToTenant(each, tenant) && isWanted(each));
    },
    async rename(id, name) {
      await check(id);
      await store.rename(id, name);
    },
    async readWhole(id) {
      await check(id);
      return await store.readWhole(id);
    },
    async exportMarkdown(id) {
      await check(id);
      return await store.exportMarkdown(id);
    },
    async repair(id, folders) {
      await check(id);
      return await store.repair(id, folders);
    },
    async checkRemoval(id) {
      await check(id);
      await store.checkRemoval(id);
    },
    async remove(id) {
      await check(id);
      await store.remove(id);
    },
  };
}

/** Nobody makes sessions for another tenant. */
function withoutTenant<T extends { readonly tenant?: unknown }>(
  { tenant: _, ...rest }: T = {} as T,
): Omit<T, 'tenant'> {
  return rest;
}
