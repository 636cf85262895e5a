import { AsyncBoundary } from '@data-client/react';
import type { Meta, StoryObj } from '@storybook/react-vite';
import { http, HttpResponse } from 'msw';
import { createRoutesStub } from 'react-router';
import { ParcelListPage } from './ParcelListPage';

const Pages = createRoutesStub([{ path: '/', Component: ParcelListPage }]);

export default {
  title: 'Parcel list',
  render: () => (
    <AsyncBoundary fallback={<p>Loading…</p>}>
      <Pages />
    </AsyncBoundary>
  ),
} satisfies Meta;

export const TwoParcels: StoryObj = {};

export const Empty: StoryObj = { parameters: { msw: [http.get('/api/parcels', () => HttpResponse.json([]))] } };
