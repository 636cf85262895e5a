import { AsyncBoundary } from '@data-client/react';
import type { Meta, StoryObj } from '@storybook/react-vite';
import { createRoutesStub } from 'react-router';
import { ParcelPage } from './ParcelPage';

const scans = [{ place: 'Dorset Street', at: '09:30' }];
const Pages = createRoutesStub([{ path: '/parcels/:id', loader: () => scans, Component: ParcelPage }]);

export default {
  title: 'Parcel',
  render: () => (
    <AsyncBoundary fallback={<p>Loading…</p>}>
      <Pages initialEntries={['/parcels/1']} />
    </AsyncBoundary>
  ),
} satisfies Meta;

export const OnItsWay: StoryObj = {};
