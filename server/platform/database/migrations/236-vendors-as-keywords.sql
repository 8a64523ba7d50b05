-- The vendors of a CVE are words of it like its other texts: without them a search by vendor that goes by words found nothing.
update vulnerability set keyword = concat_ws(E'\n', keyword, vendors_folded, vendor_days_folded) where vendors_folded is not null;
