-- Activation codes are stored sealed. A migration has no key: codes that are stored in plain text have no hash here, and the
-- service seals them when it starts (server/clients/seal-codes.ts).

alter table licensed_client add column code_hash text collate "C" unique;

-- Until then one more activation with the same code is allowed; null: none is. Epoch milliseconds.
alter table licensed_client add column reactivation_until bigint;
