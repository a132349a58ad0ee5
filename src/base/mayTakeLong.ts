/**
 * What makes the check by a JSON Schema take time that does not follow from its length and that of the data: patterns, references that
 * unfold, a list compared with itself, and defaults that hold lists or objects, which multiply where they lie in each other.
 */
const slowKeyword = /"(?:pattern|patternProperties|\$ref|uniqueItems)":|"default":(?:\[(?!\])|\{(?!\}))/u;

/** Whether a check by this schema, as JSON text, needs a time limit. Pure. */
export function mayTakeLong(schemaText: string): boolean {
  return slowKeyword.test(schemaText);
}
