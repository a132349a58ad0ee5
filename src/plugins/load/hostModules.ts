/** The plugin's own `require`, as seen from one of its files (a path or a `file:` URL). */
export type RequireFrom = (from: string | URL) => NodeJS.Require;

/**
 * Modules that are no files of the plugin; undefined for every other name. May throw to refuse one.
 * @param requireFrom for what loads files of the plugin; default: as Node does
 */
export type HostModules = (
  name: string,
  requireFrom?: RequireFrom,
) => { readonly exports: unknown } | undefined;
