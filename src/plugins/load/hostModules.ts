/** Modules that are no files of the plugin; undefined for every other name. May throw to refuse one. */
export type HostModules = (name: string) => { readonly exports: unknown } | undefined;
