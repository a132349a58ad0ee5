/** The files of a plugin in the workspace of a `CliWorld`; `code` is the body of `register(api)`. */
export function pluginFiles(id: string, code: string, extension = 'ts'): Record<string, string> {
  const folder = `workspace/.pincer/plugins/${id}`;
  return {
    [`${folder}/openclaw.plugin.json`]: JSON.stringify({ id, configSchema: { type: 'object' } }),
    [`${folder}/index.${extension}`]: `export default function register(api) {\n${code}\n}\n`,
  };
}
