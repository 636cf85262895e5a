// One story for each guard, that breaks exactly its rule: `npm run test:must-fail` is green only when all of them fail,
// each for its own reason. They are shown nowhere and run nowhere else.
import type { Meta, StoryObj } from '@storybook/react-vite';
import { http, HttpResponse } from 'msw';
import { expect, waitFor } from 'storybook/test';

const meta = {
  title: 'Must fail',
  tags: ['!dev', '!autodocs', 'must-fail'],
  render: () => <p>A story that must fail.</p>,
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

export const UnhandledRequest: Story = {
  play: async () => {
    await fetch('https://api.example.com/nobody-answers').catch(() => undefined);
  },
};

export const UnansweredRequest: Story = {
  beforeEach: ({ msw }) => {
    msw.use(http.get('https://api.example.com/never-answered', () => new Promise<undefined>(() => {})));
  },
  play: ({ journal }) => {
    void fetch('https://api.example.com/never-answered').catch(() => undefined);
    return waitFor(() => expect(journal.entries).toHaveLength(1));
  },
};

export const ConsoleError: Story = {
  play: () => {
    console.error('this story complains');
  },
};

export const AccessibilityViolation: Story = {
  render: () => <img src="data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=" width="20" height="20" />,
};

export const LeakedCookie: Story = {
  play: () => {
    document.cookie = 'left-behind=1; Path=/';
  },
};

export const JournalMismatch: Story = {
  beforeEach: ({ msw }) => {
    msw.use(http.get('https://api.example.com/sent-without-being-expected', () => HttpResponse.json({})));
  },
  play: async ({ journal }) => {
    await fetch('https://api.example.com/sent-without-being-expected');
    await expect(journal).toHaveSent([]);
  },
};

export const FailingAssertion: Story = {
  play: async ({ canvas }) => {
    await expect(canvas.getByText('A story that must fail.')).toHaveTextContent('this text is not there');
  },
};

export const ForgottenAwait: Story = {
  play: ({ journal }) => {
    // eslint-disable-next-line @typescript-eslint/no-floating-promises -- the mistake
    expect(journal).toHaveSent(['GET /never-sent  same-origin']);
  },
};

export const ForgottenAwaitInThePlay: Story = {
  play: async ({ canvas, journal }) => {
    // eslint-disable-next-line @typescript-eslint/no-floating-promises -- the mistake
    expect(journal).not.toHaveSent([]);
    await new Promise(resolve => setTimeout(resolve, 50));
    await canvas.findByText('A story that must fail.');
  },
};
