/** A JSON file as a module. @throws SyntaxError that names the file */
export function parseJsonModule(path: string, text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/u, '')) as unknown;
  } catch (error) {
    throw new SyntaxError(`${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
