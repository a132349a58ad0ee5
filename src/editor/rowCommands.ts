/** `publisher.name` of the manifest. */
export const extensionId = 'pincer-dev.pincer';

/** What a manifest says of menus, as far as it is read here. */
export type Menus = Readonly<
  Record<string, readonly ({ readonly command: string } | { readonly submenu: string })[]>
>;

/**
 * The commands that a view passes a row whenever it passes anything: those of its rows' menus, without those that stand in a title, too,
 * which passes nothing where no row has the focus. Pure.
 */
export function rowCommandsOf(menus: Menus): ReadonlySet<string> {
  const idsOf = (menu: string): readonly string[] =>
    (menus[menu] ?? []).flatMap((each) => ('command' in each ? [each.command] : []));
  const inTitles = new Set(idsOf('view/title'));
  return new Set(idsOf('view/item/context').filter((id) => !inTitles.has(id)));
}
