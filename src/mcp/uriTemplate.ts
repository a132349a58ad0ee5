/** An expression of a template in braces (RFC 6570): `{id}`, `{+path}`, `{?a,b}`. */
const expression = /\{([+#./;?&]?)([^{}]+)\}/gu;

interface Form {
  readonly before: string;
  readonly between: string;
  readonly isNamed?: boolean;
  /** Characters with a meaning in addresses stay as they are. */
  readonly keepsReserved?: boolean;
}

const plain: Form = { before: '', between: ',' };
const forms: Readonly<Record<string, Form>> = {
  '+': { before: '', between: ',', keepsReserved: true },
  '#': { before: '#', between: ',', keepsReserved: true },
  '.': { before: '.', between: '.' },
  '/': { before: '/', between: '/' },
  ';': { before: ';', between: ';', isNamed: true },
  '?': { before: '?', between: '&', isNamed: true },
  '&': { before: '&', between: '&', isNamed: true },
};

/** The variables of a template in their order, each once. Pure. */
export function variablesOf(template: string): readonly string[] {
  return [...new Set([...template.matchAll(expression)].flatMap(([, , names = '']) => namesOf(names)))];
}

/** The address with these values; what has none is left out. Pure. */
export function expandTemplate(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(expression, (_all, operator: string, names: string) => {
    const { before, between, isNamed = false, keepsReserved = false } = forms[operator] ?? plain;
    const parts = namesOf(names).flatMap((name) => {
      const value = Object.hasOwn(values, name) ? values[name] : undefined;
      if (value === undefined) return [];
      const text = keepsReserved ? encodeURI(value) : encodeURIComponent(value);
      return [isNamed ? `${name}=${text}` : text];
    });
    return parts.length === 0 ? '' : before + parts.join(between);
  });
}

/** Without what says how long or how a list is written: here each value is one text. */
function namesOf(names: string): readonly string[] {
  return names.split(',').map((name) => name.replace(/\*$|:\d+$/u, '').trim());
}
