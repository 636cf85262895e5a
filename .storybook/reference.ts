// The reference of the docs, read from the types and docstrings of the package's entries when Storybook is built.
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import ts from 'typescript';

export interface ReferenceMember {
  readonly name: string;
  readonly type: string;
  readonly text: string;
  readonly defaultValue: string;
}

export interface ReferenceEntry {
  readonly name: string;
  /** The entry of the package that exports it. */
  readonly entry: string;
  readonly text: string;
  /** The functions that take it. */
  readonly takenBy: readonly string[];
  readonly members: readonly ReferenceMember[];
}

/** What an entry of the package exports. */
interface EntryExports {
  readonly entry: string;
  readonly values: readonly string[];
  readonly types: readonly string[];
}

export interface Reference {
  readonly entries: readonly EntryExports[];
  readonly options: readonly ReferenceEntry[];
  readonly formats: readonly ReferenceEntry[];
  readonly errors: readonly ReferenceEntry[];
  /** The sentences of errors and warnings; `…` is for what differs. */
  readonly sentences: readonly string[];
}

const ROOT = resolve(import.meta.dirname, '..');
const ERRORS = 'src/errors.ts';
const ENTRIES: Readonly<Record<string, string>> = {
  'data-client-auth': 'src/index.ts',
  ...Object.fromEntries(
    readdirSync(resolve(ROOT, 'src/entries')).map(file => [
      `data-client-auth/${file.replace(/\.ts$/, '')}`,
      `src/entries/${file}`,
    ]),
  ),
  'data-client-auth/testing': 'src/testing/index.ts',
  'data-client-auth/storybook/preview': 'src/storybook/preview.ts',
};

const IS_OPTIONS = /(Options|Parameters)$|^StoryServer$/;
const FORMATS = new Set([
  'TokenResponse',
  'OAuthTokenResponse',
  'SessionSnapshot',
  'FormField',
  'FieldOption',
  'WidgetLabels',
]);

/** Without the texts that users read, and the addon's panel. */
const NOT_SENTENCES = /^(storybook\/(?!auth|preview)|widgets\/labels)/;

/** A text without the tags that have a place of their own in the reference. */
const inWords = (text: string) =>
  text
    .replace(/\s*@(example|see|internal)\b[\s\S]*?(?=\s@\w|$)/g, '')
    .replace(/@throws\b/g, 'Throws')
    .replace(/@param (\w+)/g, '`$1`:')
    .trim();

function docsOf(symbol: ts.Symbol, checker: ts.TypeChecker): string {
  const tags = symbol.getJsDocTags(checker).map(({ name, text }) => `@${name} ${ts.displayPartsToString(text)}`);
  return [ts.displayPartsToString(symbol.getDocumentationComment(checker)), ...tags].join('\n');
}

/** The type as the source has it. */
function typeOf(declaration: ts.Declaration): string {
  const text = ts.isMethodSignature(declaration)
    ? `(${declaration.parameters.map(parameter => parameter.getText()).join(', ')}) => ${declaration.type?.getText()}`
    : ((declaration as ts.PropertySignature).type?.getText() ?? '');
  return text
    .replace(/\s+/g, ' ')
    .replace(/,? \)/g, ')')
    .replace(/\( /g, '(')
    .replace(/^\| | \| undefined$/g, '')
    .replace(/^\((\(.*)\)$/, '$1');
}

function memberOf(symbol: ts.Symbol, checker: ts.TypeChecker): ReferenceMember[] {
  const declaration = symbol.declarations?.[0];
  const type = declaration ? typeOf(declaration) : '';
  if (!declaration || type === 'undefined' || !type) return [];
  const [text = '', defaultValue = ''] = docsOf(symbol, checker).split(/\s*@default\s+/);
  const isOptional = (symbol.flags & ts.SymbolFlags.Optional) !== 0;
  return [
    {
      name: isOptional ? `${symbol.name}?` : symbol.name,
      type,
      text: inWords(text),
      defaultValue: inWords(defaultValue).replaceAll('`', ''),
    },
  ];
}

/** The English texts of the widgets, as the source has them. */
function addEnglish(entry: ReferenceEntry): ReferenceEntry {
  if (entry.name !== 'WidgetLabels') return entry;
  const source = readFileSync(resolve(ROOT, 'src/widgets/labels/englishLabels.ts'), 'utf8');
  const english = new Map([...source.matchAll(/^ {2}(\w+): '(.*)',$/gm)].map(([, name, text]) => [name, text]));
  return {
    ...entry,
    members: entry.members.map(member => ({
      ...member,
      defaultValue: english.get(member.name) ?? member.defaultValue,
    })),
  };
}

interface Exported {
  readonly symbol: ts.Symbol;
  readonly entry: string;
}

/** The functions of the package by the types of their parameters. */
function functionsByType(exported: readonly Exported[], checker: ts.TypeChecker): Map<ts.Symbol, string[]> {
  const found = new Map<ts.Symbol, string[]>();
  for (const { symbol } of exported.filter(({ symbol }) => symbol.flags & ts.SymbolFlags.Function)) {
    const taken = checker
      .getTypeOfSymbol(symbol)
      .getCallSignatures()
      .flatMap(signature => signature.parameters.map(parameter => checker.getTypeOfSymbol(parameter)))
      .flatMap(type => (type.isUnionOrIntersection() ? type.types : [type]));
    for (const type of new Set(taken.map(type => type.aliasSymbol ?? type.symbol).filter(Boolean)))
      found.set(type, [...(found.get(type) ?? []), symbol.name]);
  }
  return found;
}

/** The interfaces that others extend. */
const basesOf = (exported: readonly Exported[], checker: ts.TypeChecker) =>
  new Set(
    exported
      .filter(({ symbol }) => symbol.flags & ts.SymbolFlags.Interface)
      .flatMap(({ symbol }) => checker.getDeclaredTypeOfSymbol(symbol).getBaseTypes?.() ?? [])
      .map(type => type.symbol),
  );

/** A union of interfaces is an entry for each of them, and the members that all have come first. */
function entriesOf({ symbol, entry }: Exported, takenBy: readonly string[], checker: ts.TypeChecker): ReferenceEntry[] {
  const type = checker.getDeclaredTypeOfSymbol(symbol);
  const types = type.isUnion() ? type.types : [type];
  const seen = new Set<ts.Symbol>();
  return types.map(part => {
    const own = part.symbol as ts.Symbol | undefined;
    const properties = checker.getPropertiesOfType(part).filter(property => {
      const [declared] = property.declarations ?? [];
      const key = (declared && (declared as { symbol?: ts.Symbol }).symbol) ?? property;
      if (type.isUnion() && seen.has(key)) return false;
      seen.add(key);
      return true;
    });
    const isPart = type.isUnion() && own;
    return {
      name: isPart ? `${symbol.name}: ${own.name}` : symbol.name,
      entry,
      takenBy,
      text: inWords(docsOf(isPart ? own : symbol, checker)),
      members: properties.flatMap(property => memberOf(property, checker)),
    };
  });
}

/** What a literal of the source says, if it is a sentence: at least seven words, and a full stop at the end. */
function sentenceOf(node: ts.Node): string | undefined {
  const text = ts.isTemplateExpression(node)
    ? node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join('')
    : ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)
      ? node.text
      : undefined;
  // Not code, and not the end of another sentence.
  const isSentence =
    text && text.split(' ').length > 6 && /^([^a-z]|[a-z]+[A-Z(:](?!\w*\(\{)|data-|answered ).*[.…`]$/s.test(text);
  return isSentence ? text.replace(/\s+/g, ' ').trim() : undefined;
}

function sentencesOf(path: string): string[] {
  const text = readFileSync(resolve(ROOT, 'src', path), 'utf8');
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const sentence = sentenceOf(node);
    if (sentence) found.push(sentence);
    else ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest));
  return found;
}

export function readSentences(): string[] {
  const sentences = readdirSync(resolve(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .map(path => path.replaceAll('\\', '/'))
    .filter(path => /\.tsx?$/.test(path) && !NOT_SENTENCES.test(path))
    .flatMap(sentencesOf);
  return [...new Set(sentences)].sort((a, b) => a.localeCompare(b));
}

/** Most readers look for the options of their session. */
const makesSession = ({ takenBy }: ReferenceEntry) => takenBy.some(name => /^create\w*Session$/.test(name));

export function readReference(): Reference {
  const { config } = ts.readConfigFile(resolve(ROOT, 'tsconfig.json'), ts.sys.readFile) as { config: object };
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, ROOT);
  const program = ts.createProgram(
    [...Object.values(ENTRIES), ERRORS].map(file => resolve(ROOT, file)),
    options,
  );
  const checker = program.getTypeChecker();
  const exportsOf = (entry: string, path: string): Exported[] => {
    const file = program.getSourceFile(resolve(ROOT, path));
    const module = file && checker.getSymbolAtLocation(file);
    return module
      ? checker.getExportsOfModule(module).map(symbol => ({
          entry,
          symbol: symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol,
        }))
      : [];
  };
  const all = Object.entries(ENTRIES).map(([entry, path]) => ({ entry, exports: exportsOf(entry, path) }));
  // `core` has a part of the main entry.
  const exported = all.filter(({ entry }) => !entry.endsWith('/core')).flatMap(({ exports }) => exports);
  const functions = functionsByType(exported, checker);
  const bases = basesOf(exported, checker);
  const entries = (matches: (symbol: ts.Symbol) => boolean, from = exported) =>
    from
      .filter(({ symbol }) => matches(symbol))
      .flatMap(found => entriesOf(found, functions.get(found.symbol) ?? [], checker))
      .filter(({ members, text }) => members.length > 0 || text)
      .map(addEnglish);
  const isType = ({ flags }: ts.Symbol) => (flags & (ts.SymbolFlags.Interface | ts.SymbolFlags.TypeAlias)) !== 0;
  const names = (exports: readonly Exported[], isValue: boolean) =>
    exports
      .filter(({ symbol }) => ((symbol.flags & ts.SymbolFlags.Value) !== 0) === isValue)
      .map(({ symbol }) => symbol.name)
      .sort((a, b) => a.localeCompare(b));
  return {
    entries: all.map(({ entry, exports }) => ({ entry, values: names(exports, true), types: names(exports, false) })),
    options: entries(
      symbol => isType(symbol) && IS_OPTIONS.test(symbol.name) && (functions.has(symbol) || !bases.has(symbol)),
    ).sort((a, b) => Number(makesSession(b)) - Number(makesSession(a))),
    formats: entries(symbol => isType(symbol) && FORMATS.has(symbol.name)),
    errors: entries(({ flags }) => (flags & ts.SymbolFlags.Class) !== 0, exportsOf('data-client-auth', ERRORS)),
    sentences: readSentences(),
  };
}

const ID = 'virtual:reference';

/** Makes the reference a module: `import { options, errors } from 'virtual:reference'`. */
export const referenceModule = () => ({
  name: 'reference',
  resolveId: (id: string) => (id === ID ? `\0${ID}` : undefined),
  load(id: string) {
    if (id !== `\0${ID}`) return undefined;
    return Object.entries(readReference())
      .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
      .join('\n');
  },
});
