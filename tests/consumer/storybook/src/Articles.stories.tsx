import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect } from 'storybook/test';
import { Authenticated } from 'data-client-auth';
import { LoginForm, ResourceList } from 'data-client-auth/widgets';
import { journal } from '../.storybook/mocks';
import { Articles } from './articles';

function Page() {
  return (
    <Authenticated fallback={<LoginForm />}>
      <ResourceList resource={Articles} label="My articles" renderItem={article => article.title} />
    </Authenticated>
  );
}

export default { title: 'Articles', component: Page } satisfies Meta<typeof Page>;

type Story = StoryObj<typeof Page>;

export const SignedOut: Story = {};
export const OfAda: Story = { parameters: { auth: { as: 'ada' } } };

export const OfGrace: Story = {
  parameters: { auth: { as: 'grace' } },
  play: async ({ canvas }) => {
    await canvas.findByText('On finding moths');
    await expect(journal).toHaveSent([
      'GET https://api.example.com/article  same-origin  authorization: Bearer grace-1',
    ]);
  },
};
