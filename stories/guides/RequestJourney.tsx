// The drawing on “How a request travels”: it has the text colour of the page, so it is legible in the light and in the dark theme.
import { useTheme } from 'storybook/theming';

/** One step: what happens, in two or three lines, and the errors by which a request can end there. */
interface Step {
  readonly title: string;
  readonly lines: readonly string[];
  readonly ends?: readonly string[];
}

const STEPS: readonly Step[] = [
  {
    title: '1  Scope',
    lines: ['Your code starts the request: it belongs', 'to the user who is signed in now.'],
    ends: ['identity ended, any step: IdentityChangedError'],
  },
  {
    title: '2  Build',
    lines: ['Address, getRequestInit, getHeaders: built', 'once. Is the origin a trusted one?'],
    ends: ['missing param: MissingParamError', 'another origin: UntrustedOriginError'],
  },
  {
    title: '3  Wait',
    lines: [
      'For the check for an existing session, and',
      'for the refresh of a token that has expired',
      'or was refused.',
    ],
    ends: ['refresh unavailable: RefreshUnavailableError', 'refresh refused: SessionExpiredError'],
  },
  {
    title: '4  Credential',
    lines: ['Read now, for each attempt.', 'Is the scope still valid?'],
    ends: ['not valid in a header: InvalidCredentialError'],
  },
  { title: '5  Send', lines: ['With the abort signal of the scope.'], ends: ['redirect: RedirectRefusedError'] },
  {
    title: '6  Answer',
    lines: [
      '401, or a refused CSRF token: one refresh',
      'for all, or take the newer one. Then step 3.',
      'Second 401: the session ends.',
    ],
    ends: [
      'refresh failed: as in 3',
      'stream, second attempt: UnreplayableBodyError',
      'other refusal: the server’s error',
    ],
  },
  { title: '✓  Caller and store', lines: ['They get the answer.'] },
];

const BOX = { x: 30, width: 328 };
const PADDING = 10;
const LINE = 17;
const GAP = 22;
/** A refused request goes from one of these steps back to the other. */
const LOOP = { from: 5, to: 2 };

/** Where the errors of a step are: below its box on a phone, else beside it. */
interface Layout {
  readonly width: number;
  readonly ends: 'below' | 'beside';
}

const LAYOUTS = {
  narrow: { width: 360, ends: 'below' },
  wide: { width: 740, ends: 'beside' },
} as const satisfies Record<string, Layout>;

/** Shows one of the two drawings, by the width of the page. */
const BY_WIDTH = `
  @media (width < 640px) { .journey-wide { display: none } }
  @media (width >= 640px) { .journey-narrow { display: none } }
`;

type PlacedStep = Step & { readonly y: number; readonly height: number; readonly bottom: number };

/** The steps with their positions, from top to bottom. */
function place({ ends }: Layout): PlacedStep[] {
  return STEPS.reduce<PlacedStep[]>((above, step) => {
    const y = (above.at(-1)?.bottom ?? -GAP + 1) + GAP;
    const height = 2 * PADDING + LINE * (1 + step.lines.length);
    const below = ends === 'below' && step.ends ? LINE * step.ends.length + 6 : 0;
    return [...above, { ...step, y, height, bottom: y + height + below }];
  }, []);
}

/** The way of one request, from the call to the store. “Step by step” on the page says the same in text. */
export function RequestJourney() {
  return (
    <>
      <style>{BY_WIDTH}</style>
      <Drawing name="narrow" />
      <Drawing name="wide" />
    </>
  );
}

function Drawing({ name }: { name: keyof typeof LAYOUTS }) {
  const { color } = useTheme();
  const layout = LAYOUTS[name];
  const steps = place(layout);
  const id = `request-journey-${name}`;
  return (
    <svg
      className={`journey-${name}`}
      viewBox={`0 0 ${layout.width} ${(steps.at(-1)?.bottom ?? 0) + 1}`}
      role="img"
      aria-labelledby={`${id}-title ${id}-description`}
      style={{ width: '100%', margin: '24px 0', color: color.defaultText }}
      fontFamily="'Nunito Sans', system-ui, sans-serif"
      fontSize={13}
      fill="currentColor"
    >
      <title id={`${id}-title`}>The way of a request</title>
      <desc id={`${id}-description`}>
        Six steps from top to bottom: scope, build, wait, credential, send, answer; then caller and store. An arrow
        leads from the answer back to wait, for one more attempt with a fresh credential. With each step are the errors
        by which a request can end there. When the identity changes, the request ends with an IdentityChangedError at
        any step.
      </desc>
      <defs>
        <marker id={`${id}-arrow`} viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">
          <path d="M0 0 8 4 0 8Z" fill="currentColor" />
        </marker>
      </defs>
      <Arrows steps={steps} arrow={`url(#${id}-arrow)`} />
      {steps.map(step => (
        <g key={step.title}>
          <Box step={step} />
          {layout.ends === 'below' ? <EndsBelow step={step} /> : <EndsBeside step={step} />}
        </g>
      ))}
    </svg>
  );
}

/** From each step to the next, and from the answer back. */
function Arrows({ steps, arrow }: { steps: readonly PlacedStep[]; arrow: string }) {
  const middleOf = (index: number) => (steps[index]?.y ?? 0) + (steps[index]?.height ?? 0) / 2;
  return (
    <g stroke="currentColor" strokeWidth={1.5} fill="none" markerEnd={arrow}>
      {steps.slice(1).map(({ title, y }, index) => (
        <path key={title} d={`M${BOX.x + 14} ${(steps[index]?.y ?? 0) + (steps[index]?.height ?? 0)} V${y - 1}`} />
      ))}
      <path
        d={`M${BOX.x} ${middleOf(LOOP.from)} H18 a10 10 0 0 1 -10 -10 V${middleOf(LOOP.to) + 10} a10 10 0 0 1 10 -10 H${BOX.x - 1}`}
        strokeDasharray="5 3"
      />
    </g>
  );
}

function Box({ step: { title, lines, y, height } }: { step: PlacedStep }) {
  const x = BOX.x + 14;
  const top = y + PADDING + 13;
  return (
    <>
      <rect
        x={BOX.x}
        y={y}
        width={BOX.width}
        height={height}
        rx={8}
        fill="currentColor"
        fillOpacity={0.06}
        stroke="currentColor"
      />
      <text x={x} y={top} fontWeight="bold" fontSize={14} xmlSpace="preserve">
        {title}
      </text>
      {lines.map((line, index) => (
        <text key={line} x={x} y={top + LINE * (index + 1)}>
          {line}
        </text>
      ))}
    </>
  );
}

function EndsBelow({ step: { ends = [], y, height } }: { step: PlacedStep }) {
  return ends.map((end, index) => (
    <text key={end} x={BOX.x + 30} y={y + height + LINE * (index + 1)} fontSize={12} fontStyle="italic">
      ✕ {end}
    </text>
  ));
}

/** The errors on the right, each at the end of a line from the box. */
function EndsBeside({ step: { ends = [], y, height } }: { step: PlacedStep }) {
  const right = BOX.x + BOX.width;
  const middle = y + height / 2;
  return ends.map((end, index) => {
    const lineY = middle + (index - (ends.length - 1) / 2) * (LINE + 3);
    return (
      <g key={end}>
        <path d={`M${right} ${middle} L${right + 24} ${lineY} H${right + 40}`} stroke="currentColor" fill="none" />
        <text x={right + 46} y={lineY + 4} fontStyle="italic">
          ✕ {end}
        </text>
      </g>
    );
  });
}
