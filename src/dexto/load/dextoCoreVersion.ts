/**
 * The newest release of `@dexto/core` whose plugins are let in: what `apiVersion` of a class and `peerDependencies` of its
 * package are checked against. Its plugin API is followed as far as docs/dexto.md says; what a plugin uses beyond that fails
 * by name.
 */
export const dextoCoreVersion = '1.10.4';
