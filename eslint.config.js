// Style is left to taste; what is checked here is what breaks: types, hooks, stories, and the rooms of src.
import { defineConfig, globalIgnores } from 'eslint/config';
import reactHooks from 'eslint-plugin-react-hooks';
import storybook from 'eslint-plugin-storybook';
import tseslint from 'typescript-eslint';

const CODE = '**/*.{ts,tsx}';
const TESTS = ['src/**/*.test.{ts,tsx}'];

/** The rooms of src: imports only go down this list. At the bottom are the files of src itself, such as errors.ts. */
const ROOMS = [
  'index',
  'entries',
  'files',
  'accounts',
  'lock',
  'widgets',
  'providers',
  'permissions',
  'sessionClock',
  'live',
  'endpoints',
  'stepUp',
  'mechanisms',
  'dataClient',
  'session',
];

/** The folders of src/widgets: each imports only from those of the later lines. */
const WIDGETS = [
  ['pagination'],
  ['list', 'detail'],
  ['form', 'actions', 'nextPage', 'session'],
  ['shared'],
  ['labels'],
];

/** An import of one of these rooms of src, from another room: `../session/x.js`, `../errors.js`. */
const rooms = (names, message) => ({ regex: `^(\\.\\./)+(${names.join('|')})(\\.js$|/|$)`, message });
const outside = {
  regex: '^(\\.\\./)+(\\.storybook|stories|tests|scripts|dist)(/|$)',
  message: 'src knows nothing of the stories, the tests and the tools around it.',
};
const dataClientValues = {
  regex: '^@data-client/',
  allowTypeImports: true,
  message: 'Values of @data-client/* enter through src/dataClient and src/widgets only.',
};

/** What a room must not import: the rooms above it, and the other entries. */
const notFromAbove = name => {
  const place = ROOMS.indexOf(name);
  return rooms(
    [...ROOMS.slice(0, place), 'testing', 'storybook'],
    `Imports only go down: ${ROOMS.slice(place).join(', ')}.`,
  );
};

/** The room rule for one room; a file is in one room only, for a later rule would replace an earlier one. */
const room = (name, files, ...patterns) => ({
  name: `rooms/${name}`,
  files,
  rules: { '@typescript-eslint/no-restricted-imports': ['error', { patterns: [outside, ...patterns] }] },
});

/** The room rule for each folder of a room, which may import from its siblings on the lines below. */
const folders = (name, lines, ...patterns) =>
  lines.flatMap((line, index) => {
    const below = lines.slice(index + 1).flat();
    const siblings = {
      regex: `^\\.\\./(?!(${below.join('|')})/)[^./]+/`,
      message: `Imports only go down: ${lines.map(names => names.join(', ')).join('; ')}.`,
    };
    return line.map(folder => room(`${name}/${folder}`, [`src/${name}/${folder}/**`], ...patterns, siblings));
  });

/** For the rooms below React and data-client. */
const onlyRelative = {
  regex: '^(?!\\.{1,2}/)',
  message: 'A session and its mechanism are plain TypeScript: no React, no @data-client, no package.',
};

const WIDGET_RULES = [
  notFromAbove('widgets'),
  {
    regex: '^@data-client/react$',
    allowImportNamePattern: '^(use(Controller|DLE|Error|Suspense)|Controller)$',
    message: 'Names that differ between versions of data-client are used in src/dataClient only.',
  },
  rooms(['mechanisms'], 'A widget works with any mechanism: use src/providers or src/endpoints.'),
  {
    ...rooms(
      ['session'],
      'A widget gets its session from src/providers or src/endpoints, and only types from src/session.',
    ),
    allowTypeImports: true,
  },
];

export default defineConfig(
  globalIgnores(['dist/', 'storybook-static/', 'public/', 'coverage/', 'reports/']),
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  tseslint.configs.recommended,
  {
    name: 'type-checked',
    files: [CODE],
    ignores: ['tests/types/**'],
    extends: [tseslint.configs.recommendedTypeCheckedOnly],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      // `async` states the contract of a callback, also where nothing is awaited.
      '@typescript-eslint/require-await': 'off',
      // Bounds and defaults of generics need it; a value of type any is caught where it is used.
      '@typescript-eslint/no-explicit-any': 'off',
      // Options are functions, also where their interface writes them as methods.
      '@typescript-eslint/unbound-method': 'off',
      // What was caught may be anything, and is passed on as it is.
      '@typescript-eslint/only-throw-error': ['error', { allowThrowingUnknown: true, allowThrowingAny: true }],
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
    },
  },
  {
    name: 'answers',
    files: ['stories/**/*.{ts,tsx}', 'tests/**/*.{ts,tsx}', 'src/testing/**/*.ts', ...TESTS],
    // What a mock server answers is JSON: the assertions say what is in it.
    rules: {
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
  {
    name: 'examples',
    files: ['examples/**/*.{ts,tsx}'],
    rules: {
      // React Router's loaders throw redirects.
      '@typescript-eslint/only-throw-error': ['error', { allow: [{ from: 'lib', name: 'Response' }] }],
      // An example has to work as a copy, outside of the repository.
      '@typescript-eslint/no-restricted-imports': [
        'error',
        { patterns: [{ regex: '^(\\.\\./){2}', message: 'An example imports data-client-auth by its name.' }] },
      ],
    },
  },
  {
    name: 'typescript',
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
      ],
      '@typescript-eslint/no-empty-object-type': ['error', { allowInterfaces: 'with-single-extends' }],
    },
  },
  {
    name: 'declarations',
    files: ['**/*.d.ts'],
    // A merged interface has to repeat the type parameters of the one it adds to.
    rules: { '@typescript-eslint/no-unused-vars': 'off' },
  },
  {
    name: 'react',
    // Its compiler reads each file once more.
    files: ['**/*.tsx', 'src/**/*.ts', '**/use*.ts'],
    extends: [reactHooks.configs.flat.recommended],
    rules: {
      'react-hooks/rules-of-hooks': 'error',
      'react-hooks/exhaustive-deps': 'error',
      // These serve the React compiler, which the kit neither uses nor asks for.
      'react-hooks/config': 'off',
      'react-hooks/gating': 'off',
      'react-hooks/incompatible-library': 'off',
      'react-hooks/preserve-manual-memoization': 'off',
      'react-hooks/unsupported-syntax': 'off',
      // A memo that must survive every render lives in a ref that is read in render.
      'react-hooks/refs': 'off',
    },
  },
  {
    name: 'react/stand-ins',
    files: ['stories/**/*.{ts,tsx}', 'tests/**/*.{ts,tsx}'],
    // A mock SDK keeps its token in a variable, as the real ones do.
    rules: { 'react-hooks/immutability': 'off' },
  },
  storybook.configs['flat/recommended'],
  {
    name: 'stories/meta-parameters',
    files: ['stories/**/*.stories.tsx'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector:
            'VariableDeclarator[id.name="meta"] Property[key.name="parameters"]:not([value.type="ObjectExpression"])',
          message:
            'Storybook adds the docstring of `meta` to an object literal, and replaces anything else: spread it.',
        },
      ],
    },
  },

  room(
    'index',
    ['src/index.ts'],
    { regex: '^\\./(testing|storybook)/', message: 'The test tools and the requests panel have doors of their own.' },
    dataClientValues,
  ),
  {
    ...room('entries', ['src/entries/**'], dataClientValues, notFromAbove('entries')),
    ignores: ['src/entries/core.ts'],
  },
  room('core', ['src/entries/core.ts'], {
    regex:
      '^\\./|^\\.\\./(index\\.js$|files/|lock/|widgets/|providers/|permissions/|sessionClock/|testing/|storybook/|endpoints/(use|hookify|SessionContext))|^react',
    message: 'This entry is for server components too: nothing that needs React.',
  }),
  room('files', ['src/files/**'], dataClientValues, notFromAbove('files')),
  room('accounts', ['src/accounts/**'], notFromAbove('accounts'), {
    regex: '^@data-client/react$',
    allowImportNamePattern: '^useController$',
    message: 'Names that differ between versions of data-client are used in src/dataClient only.',
  }),
  room('lock', ['src/lock/**'], dataClientValues, notFromAbove('lock')),
  room('widgets', ['src/widgets/**'], ...WIDGET_RULES),
  ...folders('widgets', WIDGETS, ...WIDGET_RULES),
  room('providers', ['src/providers/**'], dataClientValues, notFromAbove('providers')),
  room('permissions', ['src/permissions/**'], dataClientValues, notFromAbove('permissions')),
  room('sessionClock', ['src/sessionClock/**'], dataClientValues, notFromAbove('sessionClock')),
  room('live', ['src/live/**'], dataClientValues, notFromAbove('live')),
  room('endpoints', ['src/endpoints/**'], dataClientValues, notFromAbove('endpoints')),
  room('stepUp', ['src/stepUp/**'], notFromAbove('stepUp'), onlyRelative),
  room('dataClient', ['src/dataClient/**'], notFromAbove('dataClient')),
  {
    ...room(
      'mechanisms',
      ['src/mechanisms/**'],
      notFromAbove('mechanisms'),
      rooms(['dataClient'], 'A mechanism knows the session, and nothing of data-client.'),
      onlyRelative,
    ),
    ignores: TESTS,
  },
  { ...room('session', ['src/session/**'], notFromAbove('session'), onlyRelative), ignores: TESTS },
  room(
    'bottom',
    [
      'src/{callWith,errors,clock,getOrCreate,keepIfEqual,notifyListeners,isDevelopment,isObject,pageAnswer,warnOnce}.ts',
    ],
    {
      regex: '^\\.{1,2}/(?!errors\\.js$)',
      message: 'errors.ts and the other files of src itself are the bottom: they import no room.',
    },
  ),
  room('testing', ['src/testing/**'], dataClientValues, {
    ...rooms([...ROOMS, 'storybook'], 'The test tools may import only types from the kit.'),
    allowTypeImports: true,
  }),
  room('storybook', ['src/storybook/**'], dataClientValues, {
    regex: `^(\\.\\./)+(${ROOMS.filter(name => name !== 'session').join('|')}|errors|clock|session/(?!(observeRequests|extension)\\.js$))`,
    message:
      'The addon knows the test tools, and what the kit tells observers; types come from there too. It imports the kit by its name.',
  }),
  {
    name: 'rooms/no-back-door',
    files: ['src/**'],
    ignores: TESTS,
    rules: {
      'no-restricted-syntax': [
        'error',
        { selector: 'ImportExpression', message: 'Import statically, so that the room rule sees it.' },
      ],
    },
  },
  {
    name: 'rooms/doors',
    files: ['stories/**', '.storybook/**'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              regex:
                '^(\\.\\./)+src(/(?!(testing/)?index\\.js$|entries/|storybook/(manager|preview)\\.js$|styles\\.css$)|$)',
              message:
                'Stories come in through the doors, as users do: src/index.js, src/entries, src/testing/index.js, src/styles.css and those of src/storybook.',
            },
          ],
        },
      ],
    },
  },
);
