/** Libraries that stand in a file of their own beside the built program, by the name of that file (`esbuild.mjs`). */
export const libraryFiles: Readonly<Record<string, readonly string[]>> = {
  'sinclair-typebox': [
    '@sinclair/typebox',
    '@sinclair/typebox/compiler',
    '@sinclair/typebox/errors',
    '@sinclair/typebox/system',
    '@sinclair/typebox/type',
    '@sinclair/typebox/value',
  ],
  typebox: [
    'typebox',
    'typebox/compile',
    'typebox/error',
    'typebox/format',
    'typebox/guard',
    'typebox/schema',
    'typebox/system',
    'typebox/type',
    'typebox/value',
  ],
  commander: ['commander'],
};
