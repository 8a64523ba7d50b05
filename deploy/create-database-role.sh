#!/bin/sh
# The image of PostgreSQL runs this once, on an empty volume. The service gets a role that owns its database and is no superuser:
# a superuser could read files and run programs on the host of the database.
set -eu
psql --no-psqlrc --set ON_ERROR_STOP=1 --set password="$PATCHES_PASSWORD" --username "$POSTGRES_USER" --dbname postgres <<'SQL'
create role patches login nosuperuser nocreatedb nocreaterole noreplication password :'password';
create database patches owner patches;
-- From now on the superuser signs in from inside the container only.
alter role current_user password null;
SQL
