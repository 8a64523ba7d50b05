/** The list of licensed clients. The service itself maintains it; no vendor publishes it. */
import { date, identifier, number, prose, tags, text } from '../definition/fields.ts';
import { defineList } from '../definition/list-definition.ts';
import {
  deploymentLabels,
  environmentLabels,
  licenceLabels,
  technicianLabels,
} from './licence-labels.ts';

export const licensedClientList = defineList({
  key: 'floto_user',
  label: 'Licensed clients',
  shortLabel: 'Licensed clients',
  source: null,
  viewOf: 'licensed_client',
  route: 'floto-user',
  searchPath: '/windows/user/search',
  detailPath: '/windows/user/{id}',
  fields: {
    clientName: text('Client'),
    licenseType: text('Licence type', { words: licenceLabels }),
    licenseExpiry: date('Licence expires', { dueBy: true }),
    activationCode: identifier('Activation code', {
      letters: 29,
      restricted: true,
      sealed: true,
      help: 'Shown to administrators, and to API keys with the scope clients.',
    }),
    repoUpdatedOn: date('Repository updated'),
    latestKbRequestOn: date('Latest KB request'),
    registeredOn: date('Registered'),
    applicationVersion: identifier('Application version', { isVersion: true }),
  },
  columns: [
    'clientName',
    'licenseType',
    'licenseExpiry',
    'activationCode',
    'repoUpdatedOn',
    'registeredOn',
    'applicationVersion',
  ],
  searchable: [
    'clientName',
    'licenseType',
    'activationCode',
    'applicationVersion',
    'licenseExpiry',
    'repoUpdatedOn',
    'registeredOn',
  ],
  identity: ['clientName'],
  facets: ['licenseType', 'applicationVersion', 'licenseExpiry'],
  defaultSort: 'clientName',
  detail: {
    facts: {
      deploymentMode: text('Deployment mode', { words: deploymentLabels }),
      environment: text('Environment', { words: environmentLabels }),
      familyNames: tags('Families', { help: 'The sources whose lists the client may fetch.' }),
      technicianLicence: text('Technician licence', {
        help: 'Named: each technician has a seat. Concurrent: that many at once.',
        words: technicianLabels,
      }),
      technicians: number('Technicians'),
      itAssets: number('IT assets'),
      nonItAssets: number('Non-IT assets'),
      endPoints: number('Endpoints'),
      contactEmail: identifier('Contact', { restricted: true }),
      notes: prose('Notes', { restricted: true }),
      hostName: identifier('Machine', {
        help: 'Where the activation code was used, as the client says.',
        restricted: true,
      }),
      revokedOn: date('Revoked'),
      revokedBy: text('Revoked by'),
    },
    tables: {},
  },
});
